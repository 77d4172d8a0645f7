package org.paimonbridge.check.scan;

import java.io.Serializable;
import java.util.Optional;

import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.utils.SerializationUtils;
import org.paimonbridge.verify.FileView;

/** One file to read from beginning to end, and what its message claims about it. It travels to where it is read. */
public final class ScanTask implements Serializable {

    private static final long serialVersionUID = 1L;

    private final FileIO fileIO;
    private final TableSchema schema;
    private final String path;
    private final FileView view;
    private final byte[] partition;
    private final int bucket;
    private final String bucketMode;
    private final int buckets;
    private final boolean changelog;
    private final boolean keyColumns;
    private final String indexPath;

    /**
     * {@code buckets} is the partition's count, or 0 where rows are not told to buckets by their hash. {@code keyColumns} says that the
     * file is known to have a copy of the key. {@code indexPath} is the index that must know the keys,
     * or null.
     */
    public ScanTask(
            FileIO fileIO,
            TableSchema schema,
            Path path,
            FileView view,
            byte[] partition,
            int bucket,
            String bucketMode,
            int buckets,
            boolean changelog,
            boolean keyColumns,
            String indexPath) {
        this.fileIO = fileIO;
        this.schema = schema;
        this.path = path.toString();
        this.view = view;
        this.partition = partition;
        this.bucket = bucket;
        this.bucketMode = bucketMode;
        this.buckets = buckets;
        this.changelog = changelog;
        this.keyColumns = keyColumns;
        this.indexPath = indexPath;
    }

    FileIO fileIO() {
        return fileIO;
    }

    /** The schema that the file was written with. */
    TableSchema schema() {
        return schema;
    }

    Path path() {
        return new Path(path);
    }

    FileView view() {
        return view;
    }

    BinaryRow partition() {
        return SerializationUtils.deserializeBinaryRow(partition);
    }

    int bucket() {
        return bucket;
    }

    int buckets() {
        return buckets;
    }

    boolean changelog() {
        return changelog;
    }

    boolean keyColumns() {
        return keyColumns;
    }

    boolean dynamic() {
        return bucketMode.equals("HASH_DYNAMIC");
    }

    /** Postponed rows lie in the order of their arrival, without numbers. */
    boolean postponed() {
        return bucketMode.equals("POSTPONE_MODE") && bucket < 0;
    }

    Optional<Path> indexPath() {
        return Optional.ofNullable(indexPath).map(Path::new);
    }
}
