package org.paimonbridge.verify;

import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A data file as a verified message describes it. It stands in for Paimon's {@code DataFileMeta}, which changed from class to
 * interface between releases; that both mean the same is proved by re-serialising Paimon's value to identical bytes.
 */
public final class FileView implements Serializable {

    private static final long serialVersionUID = 1L;

    private final Object[] row;

    FileView(Object[] row) {
        this.row = row;
    }

    public String name() {
        return (String) row[0];
    }

    public long size() {
        return (Long) row[1];
    }

    public long rowCount() {
        return (Long) row[2];
    }

    /** The smallest key: field count, then the raw row. */
    public byte[] minKey() {
        return (byte[]) row[3];
    }

    public byte[] maxKey() {
        return (byte[]) row[4];
    }

    public StatsView keyStats() {
        return new StatsView((Object[]) row[5]);
    }

    public StatsView valueStats() {
        return new StatsView((Object[]) row[6]);
    }

    public long minSequenceNumber() {
        return (Long) row[7];
    }

    public long maxSequenceNumber() {
        return (Long) row[8];
    }

    public long schemaId() {
        return (Long) row[9];
    }

    public int level() {
        return ((Long) row[10]).intValue();
    }

    public List<String> extraFiles() {
        return strings(row[11]);
    }

    public long creationTimeMillis() {
        return (Long) row[12];
    }

    public Optional<Long> deleteRowCount() {
        return Optional.ofNullable((Long) row[13]);
    }

    public Optional<byte[]> embeddedIndex() {
        return Optional.ofNullable((byte[]) row[14]);
    }

    /** 0 for files of new input, 1 for files made by compaction. */
    public Optional<Long> fileSource() {
        return Optional.ofNullable((Long) at(15));
    }

    /** The columns that the value statistics cover, in order; empty where they cover every column the file was written with. */
    public Optional<List<String>> valueStatsColumns() {
        return Optional.ofNullable(at(16)).map(FileView::strings);
    }

    public Optional<String> externalPath() {
        return Optional.ofNullable((String) at(17));
    }

    public Optional<Long> firstRowId() {
        return Optional.ofNullable((Long) at(18));
    }

    /** The columns physically in the file; empty where it has all columns of its schema. */
    public Optional<List<String>> writeColumns() {
        return Optional.ofNullable(at(19)).map(FileView::strings);
    }

    /** A field that older versions lack is as if it were null. */
    private Object at(int field) {
        return field < row.length ? row[field] : null;
    }

    @SuppressWarnings("unchecked")
    private static List<String> strings(Object list) {
        return Collections.unmodifiableList((List<String>) list);
    }
}
