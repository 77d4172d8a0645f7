package org.paimonbridge.check;

import static org.paimonbridge.Warehouse.envelope;
import static org.paimonbridge.Warehouse.row;

import java.io.File;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.apache.paimon.data.GenericRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.CommitMessageSerializer;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowKind;
import org.paimonbridge.EnvelopeBytes;
import org.paimonbridge.MessageBytes;
import org.paimonbridge.Warehouse;
import org.paimonbridge.release.PaimonRelease;

/** For every rule, messages that break it and nothing else. */
final class Mutations {

    private static final int SIZE = 1;
    private static final int ROW_COUNT = 2;
    private static final int MIN_KEY = 3;
    private static final int MAX_SEQUENCE = 8;
    private static final int SCHEMA_ID = 9;
    private static final int LEVEL = 10;
    private static final int DELETES = 13;

    /** Makes one attempt in a fresh warehouse. */
    interface Mutation {
        Attempt make(Warehouse warehouse) throws Exception;
    }

    static final Map<Rule, Mutation> BY_RULE = new EnumMap<>(Rule.class);

    static {
        BY_RULE.put(Rule.MESSAGE_VERSION, Mutations::anotherVersion);
        BY_RULE.put(Rule.BYTES_WELL_FORMED, Mutations::aByteTooFew);
        BY_RULE.put(Rule.TABLE_IDENTITY, Mutations::anotherTable);
        BY_RULE.put(Rule.ONE_ATTEMPT_PER_TASK, Mutations::bothAttempts);
        BY_RULE.put(Rule.TABLE_KIND, Mutations::keysAcrossPartitions);
        BY_RULE.put(Rule.ADD_ONLY, Mutations::compactedFiles);
        BY_RULE.put(Rule.PARTITION_ROW, Mutations::anotherSpellingOfThePartition);
        BY_RULE.put(Rule.KEY_ROW, Mutations::aKeyOfAnotherType);
        BY_RULE.put(Rule.STATS_SHAPE, Mutations::statisticsThatPointAway);
        BY_RULE.put(Rule.FILE_NAME, w -> append(w, bytes -> bytes.name("../../../canary.parquet")));
        BY_RULE.put(Rule.POSTPONE_NAME, Mutations::anotherPostponeName);
        BY_RULE.put(Rule.INDEX_FILE, Mutations::lostIndex);
        BY_RULE.put(Rule.BUCKET, Mutations::bucketThatDoesNotExist);
        BY_RULE.put(Rule.SCHEMA_ID, w -> append(w, bytes -> bytes.number(SCHEMA_ID, 42)));
        BY_RULE.put(Rule.FILE_LEVEL, w -> append(w, bytes -> bytes.number(LEVEL, 3)));
        BY_RULE.put(Rule.FILE_UNIQUE, Mutations::theSameMessageTwice);
        BY_RULE.put(Rule.FILE_NOT_IN_TABLE, Mutations::committedBefore);
        BY_RULE.put(Rule.SEQUENCE_AHEAD, Mutations::anotherWriterCameInBetween);
        BY_RULE.put(Rule.SEQUENCE_DISJOINT, Mutations::twoWritersOfOneBucket);
        BY_RULE.put(Rule.CHANGELOG_COMPLETE, Mutations::noChangelog);
        BY_RULE.put(Rule.FILE_EXISTS, Mutations::lostFile);
        BY_RULE.put(Rule.FILE_SIZE, w -> append(w, bytes -> bytes.number(SIZE, bytes.number(SIZE) + 1000)));
        BY_RULE.put(Rule.FILE_ROW_COUNT, w -> append(w, bytes -> bytes.number(ROW_COUNT, 1000)));
        BY_RULE.put(Rule.FILE_COLUMNS, Mutations::columnInOtherCase);
        BY_RULE.put(Rule.NOT_NULL, Mutations::nullInARequiredColumn);
        BY_RULE.put(Rule.KEY_BOUNDS, Mutations::aSmallerKey);
        BY_RULE.put(Rule.SEQUENCE_RANGE, w -> keyed(w, bytes -> bytes.number(MAX_SEQUENCE, 7)));
        BY_RULE.put(Rule.DELETE_COUNT, Mutations::uncountedDelete);
        BY_RULE.put(Rule.FILE_READS, Mutations::damagedPages);
        BY_RULE.put(Rule.STATS_TRUE, Mutations::valueOutsideItsBounds);
        BY_RULE.put(Rule.ROW_PARTITION, Mutations::rowOfAnotherPartition);
        BY_RULE.put(Rule.ROW_BUCKET, Mutations::rowsOfAnotherBucket);
        BY_RULE.put(Rule.KEY_ORDER, w -> forged(w, ForgedFile.keyed().keyedRow(2, 1, 0, 2).keyedRow(1, 0, 0, 1)));
        BY_RULE.put(Rule.KEY_COLUMNS, w -> forged(w, ForgedFile.keyed().keyedRow(1, 0, 0, 1).keyedRow(1, 1, 0, 2)));
        BY_RULE.put(Rule.ROW_KIND, w -> forged(w, ForgedFile.keyed().keyedRow(1, 0, 0, 1).keyedRow(2, 1, 9, 2)));
        BY_RULE.put(Rule.INDEX_CONTENT, Mutations::indexOfOtherKeys);
    }

    private Mutations() {}

    // ---- the envelope and the bytes

    private static Attempt anotherVersion(Warehouse w) throws Exception {
        FileStoreTable table = w.append();
        byte[] message = w.write(table, row(1, "x")).get(0);
        return new Attempt(table, message).labelled(99);
    }

    private static Attempt aByteTooFew(Warehouse w) throws Exception {
        FileStoreTable table = w.append();
        byte[] message = w.write(table, row(1, "x")).get(0);
        return new Attempt(table, Arrays.copyOf(message, message.length - 1)).refusedByPaimonToo();
    }

    private static Attempt anotherTable(Warehouse w) throws Exception {
        FileStoreTable table = w.append();
        byte[] message = w.write(table, row(1, "x")).get(0);
        FileStoreTable other = w.create("db.other", schema().build());
        return new Attempt(other, message).in(envelope(table, message).encode());
    }

    private static Attempt bothAttempts(Warehouse w) throws Exception {
        FileStoreTable table = w.append();
        byte[] first = w.write(table, row(1, "x")).get(0);
        byte[] second = w.write(table, row(1, "x")).get(0);
        return new Attempt(table, first, second)
                .in(EnvelopeBytes.join(envelope(table, first).task(4, 1).encode(), envelope(table, second).task(4, 2).encode()));
    }

    // ---- the message

    private static Attempt keysAcrossPartitions(Warehouse w) throws Exception {
        FileStoreTable table =
                w.create(
                        "db.cross",
                        Schema.newBuilder()
                                .column("id", DataTypes.INT())
                                .column("dt", DataTypes.STRING())
                                .partitionKeys("dt")
                                .primaryKey("id")
                                .option("bucket", "-1")
                                .build());
        return new Attempt(table, written(w, table, 0, row(1, "a")));
    }

    private static Attempt compactedFiles(Warehouse w) throws Exception {
        FileStoreTable table = keyed(w);
        FileStoreTable compacting = table.copy(Collections.singletonMap("write-only", "false"));
        byte[] message;
        try (BatchTableWrite write = compacting.newBatchWriteBuilder().newWrite();
                IOManager spill = IOManager.create(w.newFolder().getPath())) {
            write.withIOManager(spill);
            write.write(row(1, "x"));
            write.compact(org.apache.paimon.data.BinaryRow.EMPTY_ROW, 0, true);
            message = new CommitMessageSerializer().serialize(write.prepareCommit().get(0));
        }
        return new Attempt(table, message);
    }

    private static Attempt anotherSpellingOfThePartition(Warehouse w) throws Exception {
        FileStoreTable table = w.partitioned();
        byte[] message = w.write(table, row(1, "x", "a")).get(0);
        // Length, count, header, then "a" in the first byte of its slot: what follows it must be zero, or it is a partition of its own.
        message[4 + 4 + 8 + 5] = 1;
        return new Attempt(table, message);
    }

    private static Attempt aKeyOfAnotherType(Warehouse w) throws Exception {
        FileStoreTable table = keyed(w);
        MessageBytes bytes = new MessageBytes(w.write(table, row(1, "x")).get(0));
        // Count, header, an INT: what stands behind it makes it no INT.
        bytes.bytes()[bytes.variable(MIN_KEY) + 16] = 1;
        return new Attempt(table, bytes.bytes());
    }

    private static Attempt statisticsThatPointAway(Warehouse w) throws Exception {
        FileStoreTable table = w.append("metadata.stats-mode", "full");
        MessageBytes bytes = new MessageBytes(w.write(table, row(1, "a long name, longer than a slot")).get(0));
        bytes.bytes()[bytes.variable(6) + 32 + 4 + 8 + 8 + 4 + 2] = 0x7f;
        return new Attempt(table, bytes.bytes());
    }

    private static Attempt anotherPostponeName(Warehouse w) throws Exception {
        FileStoreTable table = w.create("db.postponed", schema("bucket", "-2").primaryKey("id").build());
        byte[] message = w.write(table, row(1, "x")).get(0);
        String old = new MessageBytes(message).name();
        byte[] renamed = new MessageBytes(message).name("data.avro").bytes();
        File file = ForgedFile.find(w, old);
        Files.move(file.toPath(), file.toPath().resolveSibling(new MessageBytes(renamed).name()));
        return new Attempt(table, renamed);
    }

    private static Attempt lostIndex(Warehouse w) throws Exception {
        FileStoreTable table = dynamic(w);
        byte[] message = written(w, table, 0, row(1, "x"));
        Files.delete(index(w).toPath());
        return new Attempt(table, message);
    }

    private static Attempt bucketThatDoesNotExist(Warehouse w) throws Exception {
        FileStoreTable table = keyed(w);
        byte[] message = w.write(table, row(1, "x")).get(0);
        moveToBucket(w, message, 99);
        return new Attempt(table, new MessageBytes(message).bucket(99).bytes());
    }

    private static Attempt theSameMessageTwice(Warehouse w) throws Exception {
        FileStoreTable table = w.append();
        byte[] message = w.write(table, row(1, "x")).get(0);
        return new Attempt(table, message, message);
    }

    private static Attempt committedBefore(Warehouse w) throws Exception {
        FileStoreTable table = w.append();
        byte[] message = w.write(table, row(1, "x")).get(0);
        MutationTest.commit(table, "earlier", PaimonRelease.messageVersion(), Collections.singletonList(message));
        return new Attempt(table, message);
    }

    private static Attempt anotherWriterCameInBetween(Warehouse w) throws Exception {
        FileStoreTable table = keyed(w);
        byte[] message = w.write(table, row(1, "x")).get(0);
        MutationTest.commit(table, "faster", PaimonRelease.messageVersion(), w.write(table, row(1, "y")));
        return new Attempt(table, message);
    }

    private static Attempt twoWritersOfOneBucket(Warehouse w) throws Exception {
        FileStoreTable table = keyed(w);
        return new Attempt(table, w.write(table, row(1, "x")).get(0), w.write(table, row(1, "y")).get(0));
    }

    private static Attempt noChangelog(Warehouse w) throws Exception {
        FileStoreTable table = keyed(w, "changelog-producer", "input");
        FileStoreTable without = table.copy(Collections.singletonMap("changelog-producer", "none"));
        return new Attempt(table, w.write(without, row(1, "x")).get(0));
    }

    // ---- the file

    private static Attempt lostFile(Warehouse w) throws Exception {
        FileStoreTable table = w.append();
        byte[] message = w.write(table, row(1, "x")).get(0);
        Files.delete(ForgedFile.find(w, new MessageBytes(message).name()).toPath());
        return new Attempt(table, message);
    }

    private static Attempt columnInOtherCase(Warehouse w) throws Exception {
        FileStoreTable table = w.append();
        byte[] message = w.write(table, row(1, "x")).get(0);
        ForgedFile file = new ForgedFile().column("id", DataTypes.INT()).column("NAME", DataTypes.STRING()).row(1, "x");
        return new Attempt(table, file.replace(w, table, message));
    }

    private static Attempt nullInARequiredColumn(Warehouse w) throws Exception {
        FileStoreTable table =
                w.create(
                        "db.required",
                        Schema.newBuilder()
                                .column("id", DataTypes.INT())
                                .column("name", DataTypes.STRING().notNull())
                                .option("metadata.stats-mode", "none")
                                .build());
        byte[] message = w.write(table, row(1, "x")).get(0);
        ForgedFile file = new ForgedFile().column("id", DataTypes.INT()).column("name", DataTypes.STRING()).row(1, null);
        return new Attempt(table, file.replace(w, table, message));
    }

    private static Attempt aSmallerKey(Warehouse w) throws Exception {
        return keyed(
                w,
                bytes -> {
                    // Count, header, then the value: the smallest key becomes -1 instead of 1.
                    Arrays.fill(bytes.bytes(), bytes.variable(MIN_KEY) + 12, bytes.variable(MIN_KEY) + 16, (byte) 0xff);
                    return bytes;
                });
    }

    private static Attempt uncountedDelete(Warehouse w) throws Exception {
        FileStoreTable table = keyed(w);
        GenericRow deleted = row(1, "x");
        deleted.setRowKind(RowKind.DELETE);
        return new Attempt(table, new MessageBytes(w.write(table, deleted).get(0)).number(DELETES, 0).bytes());
    }

    private static Attempt damagedPages(Warehouse w) throws Exception {
        FileStoreTable table = w.append();
        byte[] message = w.write(table, row(1, "x")).get(0);
        File file = ForgedFile.find(w, new MessageBytes(message).name());
        byte[] content = Files.readAllBytes(file.toPath());
        Arrays.fill(content, 4, 40, (byte) 0x55);
        Files.write(file.toPath(), content);
        return new Attempt(table, message);
    }

    private static Attempt valueOutsideItsBounds(Warehouse w) throws Exception {
        FileStoreTable table = w.append("metadata.stats-mode", "full");
        byte[] message = w.write(table, row(1, "x")).get(0);
        ForgedFile file = new ForgedFile().column("id", DataTypes.INT()).column("name", DataTypes.STRING()).row(5, "x");
        return new Attempt(table, file.replace(w, table, message));
    }

    private static Attempt rowOfAnotherPartition(Warehouse w) throws Exception {
        FileStoreTable table = w.partitioned("metadata.stats-mode", "none");
        byte[] message = w.write(table, row(1, "x", "a")).get(0);
        ForgedFile file =
                new ForgedFile()
                        .column("id", DataTypes.INT())
                        .column("name", DataTypes.STRING())
                        .column("dt", DataTypes.STRING())
                        .row(1, "x", "b");
        return new Attempt(table, file.replace(w, table, message));
    }

    private static Attempt rowsOfAnotherBucket(Warehouse w) throws Exception {
        FileStoreTable table = w.primaryKey("write-only", "true");
        byte[] message = w.write(table, row(1, "x")).get(0);
        int wrong = 1 - table.newBatchWriteBuilder().newWrite().getBucket(row(1, "x"));
        moveToBucket(w, message, wrong);
        return new Attempt(table, new MessageBytes(message).bucket(wrong).bytes());
    }

    private static Attempt indexOfOtherKeys(Warehouse w) throws Exception {
        FileStoreTable table = dynamic(w);
        byte[] message = written(w, table, 0, row(1, "x"));
        Files.write(index(w).toPath(), new byte[] {1, 2, 3, 4});
        return new Attempt(table, message);
    }

    // ---- tables and messages that are right

    /** One thing changed in a message of a table without keys. */
    private static Attempt append(Warehouse w, java.util.function.UnaryOperator<MessageBytes> change) throws Exception {
        FileStoreTable table = w.append();
        return new Attempt(table, change.apply(new MessageBytes(w.write(table, row(1, "x")).get(0))).bytes());
    }

    /** One thing changed in a message with the keys 1 and 2. */
    private static Attempt keyed(Warehouse w, java.util.function.UnaryOperator<MessageBytes> change) throws Exception {
        FileStoreTable table = keyed(w);
        return new Attempt(table, change.apply(new MessageBytes(w.write(table, row(1, "x"), row(2, "x")).get(0))).bytes());
    }

    /** The keys 1 and 2 in a message, other rows in the file. */
    private static Attempt forged(Warehouse w, ForgedFile file) throws Exception {
        FileStoreTable table = keyed(w);
        return new Attempt(table, file.replace(w, table, w.write(table, row(1, "x"), row(2, "x")).get(0)));
    }

    private static FileStoreTable keyed(Warehouse w, String... options) {
        String[] all = Arrays.copyOf(new String[] {"bucket", "1", "metadata.stats-mode", "none"}, 4 + options.length);
        System.arraycopy(options, 0, all, 4, options.length);
        return w.create("db.keyed", schema(all).primaryKey("id").build());
    }

    private static FileStoreTable dynamic(Warehouse w) {
        return w.create("db.dynamic", schema("bucket", "-1").primaryKey("id").build());
    }

    private static Schema.Builder schema(String... options) {
        Schema.Builder schema =
                Schema.newBuilder().column("id", DataTypes.INT()).column("name", DataTypes.STRING()).option("write-only", "true");
        for (int i = 0; i < options.length; i += 2) {
            schema.option(options[i], options[i + 1]);
        }
        return schema;
    }

    private static byte[] written(Warehouse w, FileStoreTable table, int bucket, GenericRow row) throws Exception {
        try (BatchTableWrite write = table.newBatchWriteBuilder().newWrite();
                IOManager spill = IOManager.create(w.newFolder().getPath())) {
            write.withIOManager(spill);
            write.write(row, bucket);
            return new CommitMessageSerializer().serialize(write.prepareCommit().get(0));
        }
    }

    private static void moveToBucket(Warehouse w, byte[] message, int bucket) throws Exception {
        File file = ForgedFile.find(w, new MessageBytes(message).name());
        File folder = new File(file.getParentFile().getParentFile(), "bucket-" + bucket);
        folder.mkdirs();
        Files.move(file.toPath(), new File(folder, file.getName()).toPath());
    }

    private static File index(Warehouse w) {
        List<String> files = w.files();
        return new File(w.getRoot(), files.stream().filter(file -> file.contains("/index/")).findFirst().get());
    }

    static boolean exists(Rule rule) {
        // Paimon 1.0 has no postpone tables.
        return rule != Rule.POSTPONE_NAME || PaimonRelease.messageVersion() >= 7;
    }
}
