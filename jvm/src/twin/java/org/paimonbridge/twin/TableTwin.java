package org.paimonbridge.twin;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.options.Options;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.sink.CommitMessageSerializer;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.RowKind;
import org.apache.paimon.types.RowType;

/**
 * For tests only, and never in the shim jar: Paimon Java as the other writer. It writes the rows of one table to a twin with Paimon's
 * own writers, so that what Java makes of the same rows can be compared with what Python made, and it compacts.
 */
public final class TableTwin {

    private static final int NOT_CHOSEN = -1;

    private TableTwin() {}

    /**
     * Writes all rows of {@code from} to {@code to}, in reading order. If {@code from} has one column more than {@code to}, the
     * last, it is the row kind as Paimon's byte value. A table with dynamic buckets, which Paimon's plain writer cannot choose, takes
     * those that the rows have in {@code from}.
     */
    public static long copy(String warehouse, String from, String to, String scratch) throws Exception {
        try (Catalog catalog = open(warehouse)) {
            Table source = catalog.getTable(Identifier.fromString(from));
            Table target = catalog.getTable(Identifier.fromString(to));
            RowType type = source.rowType();
            boolean kinds = type.getFieldCount() == target.rowType().getFieldCount() + 1;
            InternalRow.FieldGetter[] getters = new InternalRow.FieldGetter[target.rowType().getFieldCount()];
            for (int i = 0; i < getters.length; i++) {
                getters[i] = InternalRow.createFieldGetter(type.getTypeAt(i), i);
            }
            long[] rows = {0};
            BatchWriteBuilder builder = target.newBatchWriteBuilder();
            try (BatchTableWrite write = builder.newWrite();
                    BatchTableCommit commit = builder.newCommit()) {
                write.withIOManager(IOManager.create(scratch));
                ReadBuilder read = source.newReadBuilder();
                for (Split split : read.newScan().plan().splits()) {
                    int bucket = isDynamic(target) ? ((DataSplit) split).bucket() : NOT_CHOSEN;
                    try (RecordReader<InternalRow> reader = read.newRead().createReader(split)) {
                        reader.forEachRemaining(
                                row -> {
                                    rows[0]++;
                                    writeRow(write, row, getters, kinds, bucket);
                                });
                    }
                }
                commit.commit(write.prepareCommit());
            }
            return rows[0];
        }
    }

    private static void writeRow(
            BatchTableWrite write, InternalRow row, InternalRow.FieldGetter[] getters, boolean kinds, int bucket) {
        try {
            if (bucket != NOT_CHOSEN) {
                write.write(row, bucket);
                return;
            }
            if (!kinds) {
                write.write(row);
                return;
            }
            GenericRow copy = new GenericRow(RowKind.fromByteValue(row.getByte(getters.length)), getters.length);
            for (int i = 0; i < getters.length; i++) {
                copy.setField(i, getters[i].getFieldOrNull(row));
            }
            write.write(copy);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Compacts every bucket that has files, fully, and commits. */
    public static int compact(String warehouse, String table, String scratch) throws Exception {
        try (Catalog catalog = open(warehouse)) {
            Map<String, String> always = new HashMap<>();
            always.put("write-only", "false");
            Table target = catalog.getTable(Identifier.fromString(table)).copy(always);
            Set<List<Object>> buckets = new HashSet<>();
            // A reader's plan would leave level 0 out where that waits for a compaction.
            for (FileEntry file : ((FileStoreTable) target).store().newScan().plan().files()) {
                buckets.add(Arrays.asList(file.partition().copy(), file.bucket()));
            }
            BatchWriteBuilder builder = target.newBatchWriteBuilder();
            try (BatchTableWrite write = builder.newWrite();
                    BatchTableCommit commit = builder.newCommit()) {
                write.withIOManager(IOManager.create(scratch));
                for (List<Object> bucket : buckets) {
                    write.compact((BinaryRow) bucket.get(0), (Integer) bucket.get(1), true);
                }
                commit.commit(write.prepareCommit());
            }
            return buckets.size();
        }
    }

    /** Reads messages from a file, each behind its length, and decodes them with Paimon's serializer: what a hand-over is measured by. */
    public static int decodeFile(String path, int version) throws Exception {
        CommitMessageSerializer serializer = new CommitMessageSerializer();
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(Paths.get(path)));
        int count = 0;
        while (bytes.hasRemaining()) {
            byte[] message = new byte[bytes.getInt()];
            bytes.get(message);
            count += serializer.deserialize(version, message) == null ? 0 : 1;
        }
        return count;
    }

    private static boolean isDynamic(Table table) {
        return !table.primaryKeys().isEmpty() && "-1".equals(table.options().getOrDefault("bucket", "-1"));
    }

    private static Catalog open(String warehouse) {
        return CatalogFactory.createCatalog(
                CatalogContext.create(Options.fromMap(Collections.singletonMap("warehouse", warehouse))));
    }
}
