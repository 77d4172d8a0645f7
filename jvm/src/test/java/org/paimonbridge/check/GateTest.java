package org.paimonbridge.check;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;
import static org.paimonbridge.Warehouse.envelope;
import static org.paimonbridge.Warehouse.row;

import java.io.File;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.apache.paimon.disk.IOManager;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageSerializer;
import org.apache.paimon.utils.SerializationUtils;
import org.junit.Test;
import org.paimonbridge.EnvelopeBytes;
import org.paimonbridge.MessageBytes;
import org.paimonbridge.Warehouse;
import org.paimonbridge.codec.MessageDecoder;
import org.paimonbridge.envelope.EnvelopeReader;
import org.paimonbridge.release.PaimonRelease;

/** Each rule of the gate: with exactly one thing wrong, a message is refused by that rule's name. */
public class GateTest {

    private static final int SIZE = 1;
    private static final int ROW_COUNT = 2;
    private static final int SCHEMA_ID = 9;
    private static final int LEVEL = 10;
    private static final int FILE_SOURCE = 15;
    private static final int FIRST_ROW_ID = 18;

    @org.junit.Rule public final Warehouse warehouse = new Warehouse();

    @Test
    public void messagesOfAnotherVersionAreRefused() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] message = one(table);
        for (int version : new int[] {1, 2, 13, 14, 99}) {
            Gate gate = pass(table, Level.FAST, envelope(table, message).version(version));
            assertTrue(texts(gate).toString(), rules(gate).contains(Rule.MESSAGE_VERSION));
        }
    }

    @Test
    public void brokenBytesStopOnlyTheirOwnMessage() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] good = one(table);
        byte[] lost = new MessageBytes(one(table)).number(SIZE, 1).bytes();
        byte[] broken = Arrays.copyOf(good, good.length - 1);
        Gate gate = pass(table, Level.FAST, envelope(table, broken, lost, good));
        assertRules(gate, Rule.BYTES_WELL_FORMED, Rule.FILE_SIZE);
        assertEquals("message 1 of 3, task 3", gate.report().findings().get(0).where());
        assertTrue(gate.report().findings().get(1).where().startsWith("message 2 of 3, task 3, bucket 0, file data-"));
    }

    @Test
    public void messagesOfAnotherTableAreRefused() throws Exception {
        FileStoreTable table = warehouse.append();
        FileStoreTable other = warehouse.primaryKey();
        Gate gate = pass(other, Level.OFF, envelope(table, one(table)));
        assertTrue(texts(gate).toString(), rules(gate).contains(Rule.TABLE_IDENTITY));
        assertTrue(texts(gate).toString(), texts(gate).get(0).contains("written for table db.append with the id " + table.uuid()));
    }

    @Test
    public void bothAttemptsOfATaskAreRefused() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] first = envelope(table, one(table)).task(4, 100).encode();
        byte[] second = envelope(table, one(table)).task(4, 101).encode();
        byte[] neighbour = envelope(table, one(table)).task(5, 102).encode();
        Gate gate = Gate.pass("db.append", table, EnvelopeReader.readAll(EnvelopeBytes.join(first, neighbour, second)), Level.FAST);
        assertRules(gate, Rule.ONE_ATTEMPT_PER_TASK);
        assertEquals("Two attempts of one task are there: 100 and 101.", gate.report().findings().get(0).message());
        assertEquals("task 4 of run run-1", gate.report().findings().get(0).where());
    }

    @Test
    public void aMessageThatCompactsIsRefused() throws Exception {
        FileStoreTable table = warehouse.primaryKey("num-sorted-run.compaction-trigger", "1");
        List<byte[]> messages = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            messages = compacting(table);
        }
        Gate gate = pass(table, Level.OFF, envelope(table, messages));
        assertRules(gate, Rule.ADD_ONLY);
        assertTrue(texts(gate).toString(), texts(gate).toString().contains("entries in compactBefore, but may only add new files"));
    }

    @Test
    public void aPartitionRowOfAnotherTableIsRefusedAndNothingIsLookedUp() throws Exception {
        FileStoreTable plain = warehouse.append();
        FileStoreTable partitioned = warehouse.partitioned();
        byte[] message = one(plain);
        Gate gate =
                pass(partitioned, Level.FAST, envelope(partitioned, message).table(partitioned.uuid(), partitioned.fullName()));
        assertTrue(texts(gate).toString(), rules(gate).contains(Rule.PARTITION_ROW));
        assertTrue(!rules(gate).contains(Rule.FILE_EXISTS));
    }

    @Test
    public void keysThatDoNotFitAreRefused() throws Exception {
        FileStoreTable append = warehouse.append();
        FileStoreTable keyed = warehouse.primaryKey();
        Gate gate = pass(append, Level.OFF, envelope(append, warehouse.write(keyed, row(1, "x"))));
        assertTrue(texts(gate).toString(), rules(gate).contains(Rule.KEY_ROW));
    }

    @Test
    public void statisticsThatWouldCrashReadersAreRefused() throws Exception {
        FileStoreTable table = warehouse.append("metadata.stats-mode", "full");
        MessageBytes bytes = new MessageBytes(warehouse.write(table, row(1, "a long name, longer than a slot")).get(0));
        // Value statistics: header and three slots, then the smallest values: count, header, two slots. The second points away.
        int minimum = bytes.variable(6) + 32;
        byte[] message = bytes.bytes();
        message[minimum + 4 + 8 + 8 + 4 + 2] = 0x7f;
        assertRules(pass(table, Level.OFF, envelope(table, message)), Rule.STATS_SHAPE);
    }

    @Test
    public void impossibleNullCountsAreRefused() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] message = new MessageBytes(one(table)).number(ROW_COUNT, -1).bytes();
        Gate gate = pass(table, Level.FAST, envelope(table, message));
        assertRules(gate, Rule.STATS_SHAPE, Rule.FILE_ROW_COUNT);
    }

    @Test
    public void namesThatLeadOutOfTheTableAreRefusedAndNotTouched() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] message = one(table);
        String length = new MessageBytes(message).name();
        List<String> names = new ArrayList<>();
        names.add("../../../canary.parquet");
        names.add("/etc/passwd.parquet");
        names.add("s3://other/x.parquet");
        names.add("a/b.parquet");
        names.add("%2e%2e%2fx.parquet");
        names.add("a b.parquet");
        names.add("ａ.parquet");
        names.add("a\u0000.parquet");
        names.add("plain-name-without-suffix");
        for (String name : names) {
            // Multi-byte letters take more room than characters; the padding makes up the length in bytes.
            String padded = name;
            while (padded.getBytes("UTF-8").length < length.length()) {
                padded = padded.contains(".") ? padded.replace(".parquet", "x.parquet") : padded + "x";
            }
            byte[] changed = new MessageBytes(message).name(padded).bytes();
            Gate gate = pass(table, Level.FAST, envelope(table, changed));
            assertRules(gate, Rule.FILE_NAME);
        }
    }

    @Test
    public void externalPathsNeedAConfiguredRoot() {
        FileStoreTable table = warehouse.append("data-file.external-paths", "file:///allowed/root,s3://bucket/data");
        TablePaths paths = new TablePaths(table);
        assertTrue(paths.isAllowedExternalPath("file:/allowed/root/bucket-0/a.parquet", "a.parquet"));
        assertTrue(paths.isAllowedExternalPath("file:///allowed/root/dt=a%2Fb/bucket-0/a.parquet", "a.parquet"));
        assertTrue(paths.isAllowedExternalPath("s3://bucket/data/bucket-0/a.parquet", "a.parquet"));
        for (String path :
                new String[] {
                    "file:/allowed/rootless/bucket-0/a.parquet",
                    "file:/allowed/root/../secret/a.parquet",
                    "file:/allowed/root/./a.parquet",
                    "file:/allowed/root//a.parquet",
                    "file:/allowed/root/bucket-0/b.parquet",
                    "file:/allowed/root/bucket-0/xa.parquet",
                    "/allowed/root/bucket-0/a.parquet",
                    "s3://other/data/bucket-0/a.parquet",
                    "s3a://bucket/data/bucket-0/a.parquet",
                    "s3://bucket/data?x=/a.parquet",
                    "hdfs://host/a.parquet",
                    "a.parquet"
                }) {
            assertTrue(path, !paths.isAllowedExternalPath(path, "a.parquet"));
        }
    }

    @Test
    public void bucketsThatDoNotExistAreRefused() throws Exception {
        FileStoreTable table = warehouse.append();
        assertRules(
                pass(table, Level.FAST, envelope(table, new MessageBytes(one(table)).bucket(1).bytes())),
                Rule.BUCKET,
                Rule.FILE_EXISTS);
        FileStoreTable keyed = warehouse.primaryKey();
        byte[] message = warehouse.write(keyed, row(1, "x")).get(0);
        for (int bucket : new int[] {2, 99, -1, -2}) {
            Gate gate = pass(keyed, Level.FAST, envelope(keyed, new MessageBytes(message).bucket(bucket).bytes()));
            assertTrue(texts(gate).toString(), rules(gate).contains(Rule.BUCKET));
        }
    }

    @Test
    public void anotherBucketCountIsRefused() throws Exception {
        assumeTrue("before version 7 a message does not state it", PaimonRelease.messageVersion() >= 7);
        FileStoreTable table = warehouse.primaryKey();
        byte[] message = new MessageBytes(warehouse.write(table, row(1, "x")).get(0)).totalBuckets(8).bytes();
        assertRules(pass(table, Level.FAST, envelope(table, message)), Rule.BUCKET);
    }

    @Test
    public void schemasThatDoNotExistOrAreNotTheWritersAreRefused() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] message = one(table);
        assertRules(
                pass(table, Level.FAST, envelope(table, new MessageBytes(message).number(SCHEMA_ID, 42).bytes())),
                Rule.SCHEMA_ID);
        assertRules(
                pass(table, Level.FAST, envelope(table, new MessageBytes(message).number(SCHEMA_ID, -1).bytes())),
                Rule.SCHEMA_ID);
        assertRules(pass(table, Level.FAST, envelope(table, message).schemaId(1)), Rule.SCHEMA_ID);
        // Foreign bytes have no writer of ours behind them; that the schema exists is all that can be asked.
        assertRules(pass(table, Level.FAST, envelope(table, message).foreign().schemaId(1)));
    }

    @Test
    public void filesThatAreNotNewInputAreRefused() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] message = one(table);
        assertRules(
                pass(table, Level.FAST, envelope(table, new MessageBytes(message).number(LEVEL, 5).bytes())),
                Rule.FILE_LEVEL);
        assertRules(
                pass(table, Level.FAST, envelope(table, new MessageBytes(message).number(FILE_SOURCE, 1).bytes())),
                Rule.FILE_LEVEL);
        assertRules(
                pass(table, Level.FAST, envelope(table, new MessageBytes(message).setNull(FILE_SOURCE).bytes())),
                Rule.FILE_LEVEL);
        if (PaimonRelease.messageVersion() >= 8) {
            byte[] numbered = new MessageBytes(message).clearNull(FIRST_ROW_ID).number(FIRST_ROW_ID, 0).bytes();
            assertRules(pass(table, Level.FAST, envelope(table, numbered)), Rule.FILE_LEVEL);
        }
    }

    @Test
    public void theSameMessageTwiceIsRefused() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] message = one(table);
        Gate gate = pass(table, Level.FAST, envelope(table, message, message));
        assertRules(gate, Rule.FILE_UNIQUE);
        assertEquals(1, gate.report().errors());
        assertTrue(texts(gate).toString(), texts(gate).get(0).contains("it is also in message 1 of 2"));
    }

    @Test
    public void aFileThatTheTableHoldsIsRefused() throws Exception {
        FileStoreTable table = warehouse.partitioned();
        List<byte[]> messages = warehouse.write(table, row(1, "x", "a"), row(2, "x", "b"));
        table.newCommit("someone").commit(1, decoded(messages));
        Gate gate = pass(table, Level.FAST, envelope(table, messages));
        assertRules(gate, Rule.FILE_NOT_IN_TABLE);
        assertEquals(2, gate.report().errors());
        assertTrue(texts(gate).toString(), texts(gate).toString().contains("partition dt=a, bucket 0"));
    }

    @Test
    public void missingShortAndTruncatedFilesAreRefused() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] message = one(table);
        File file = file(message);
        byte[] content = Files.readAllBytes(file.toPath());

        assertRules(
                pass(table, Level.FAST, envelope(table, new MessageBytes(message).number(SIZE, content.length + 1).bytes())),
                Rule.FILE_SIZE);
        try (RandomAccessFile short10 = new RandomAccessFile(file, "rw")) {
            short10.setLength(content.length - 10);
        }
        assertRules(
                pass(table, Level.FAST, envelope(table, message)),
                Rule.FILE_SIZE,
                Rule.FILE_ROW_COUNT);
        Files.write(file.toPath(), new byte[content.length]);
        assertRules(pass(table, Level.FAST, envelope(table, message)), Rule.FILE_ROW_COUNT);
        Files.delete(file.toPath());
        assertRules(pass(table, Level.FAST, envelope(table, message)), Rule.FILE_EXISTS);
        // Off means off: nothing but the message and the schema is looked at.
        assertRules(pass(table, Level.OFF, envelope(table, message)));
    }

    @Test
    public void aMissingExtraFileIsRefused() throws Exception {
        FileStoreTable table =
                warehouse.append("file-index.bloom-filter.columns", "name", "file-index.in-manifest-threshold", "1 b");
        List<byte[]> messages = warehouse.write(table, row(1, "x"));
        Gate good = pass(table, Level.FAST, envelope(table, messages));
        String index = good.messages().get(0).newFiles().get(0).extraPaths().get(0).toUri().getPath();
        Files.delete(new File(index).toPath());
        assertRules(pass(table, Level.FAST, envelope(table, messages)), Rule.FILE_EXISTS);
    }

    @Test
    public void wrongRowCountsAreRefused() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] message = new MessageBytes(one(table)).number(ROW_COUNT, 1000).bytes();
        Gate gate = pass(table, Level.FAST, envelope(table, message));
        assertRules(gate, Rule.FILE_ROW_COUNT);
        assertTrue(texts(gate).toString(), texts(gate).get(0).contains("The message says 1000 rows, the file has 1."));
        // Formats without a footer that tells: only a reader finds out.
        FileStoreTable avro = warehouse.primaryKey("file.format", "avro");
        byte[] avroMessage = new MessageBytes(warehouse.write(avro, row(1, "x")).get(0)).number(ROW_COUNT, 1000).bytes();
        assertRules(pass(avro, Level.FAST, envelope(avro, avroMessage)));
        assertRules(pass(avro, Level.FULL, envelope(avro, avroMessage)), Rule.FILE_READS);
    }

    @Test
    public void aFileThatOnlyLooksRightFromItsEndIsRefusedAtFull() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] message = one(table);
        File file = file(message);
        byte[] content = Files.readAllBytes(file.toPath());
        Arrays.fill(content, 4, 40, (byte) 0x55);
        Files.write(file.toPath(), content);
        assertRules(pass(table, Level.FAST, envelope(table, message)));
        assertRules(pass(table, Level.FULL, envelope(table, message)), Rule.FILE_READS);
    }

    @Test
    public void allFindingsAreReportedAndCounted() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] message = new MessageBytes(one(table)).number(LEVEL, 3).number(SIZE, 5).number(SCHEMA_ID, 9).bytes();
        Gate gate = pass(table, Level.FAST, envelope(table, message));
        assertRules(
                gate,
                Rule.SCHEMA_ID,
                Rule.FILE_LEVEL,
                Rule.FILE_SIZE);
        assertEquals(3, ((List<?>) gate.report().toMap().get("findings")).size());
        long fast = Arrays.stream(Rule.values()).filter(rule -> rule.level() != Level.FULL).count();
        assertEquals(fast, ((List<?>) gate.report().toMap().get("rules")).size());
    }

    @Test
    public void paimonsOwnBytesAreComparedWithThoseOfTheMessage() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] message = one(table);
        byte[] other = new MessageBytes(message).number(ROW_COUNT, 7).bytes();
        MessageDecoder decoder = new MessageDecoder();
        assertTrue(decoder.reserializesTo(decoder.decode(message), message));
        assertFalse(decoder.reserializesTo(decoder.decode(message), other));
    }

    @Test
    public void everyRuleHasACheck() {
        assertEquals(EnumSet.allOf(Rule.class), Checks.BY_RULE.keySet());
    }

    // ---- helpers

    private byte[] one(FileStoreTable table) throws Exception {
        return warehouse.write(table, row(1, "x")).get(0);
    }

    private File file(byte[] message) {
        String name = new MessageBytes(message).name();
        String path = warehouse.files().stream().filter(file -> file.endsWith(name)).findFirst().get();
        return new File(warehouse.getRoot(), path);
    }

    private List<byte[]> compacting(FileStoreTable table) throws Exception {
        List<byte[]> messages = new ArrayList<>();
        CommitMessageSerializer serializer = new CommitMessageSerializer();
        try (BatchTableWrite write = table.newBatchWriteBuilder().newWrite();
                IOManager spill = IOManager.create(warehouse.newFolder().getPath())) {
            write.withIOManager(spill);
            write.write(row(1, "x"));
            write.compact(SerializationUtils.deserializeBinaryRow(new byte[12]), write.getBucket(row(1, "x")), true);
            List<CommitMessage> made = write.prepareCommit();
            for (CommitMessage message : made) {
                messages.add(serializer.serialize(message));
            }
            table.newCommit("compactor-" + System.nanoTime()).commit(1, made);
        }
        return messages;
    }

    private static List<CommitMessage> decoded(List<byte[]> messages) throws Exception {
        List<CommitMessage> decoded = new ArrayList<>();
        for (byte[] message : messages) {
            decoded.add(new MessageDecoder().decode(message));
        }
        return decoded;
    }

    static Gate pass(FileStoreTable table, Level level, EnvelopeBytes envelope) {
        return Gate.pass(table.fullName(), table, EnvelopeReader.readAll(envelope.encode()), level);
    }

    private static void assertRules(Gate gate, Rule... rules) {
        Set<Rule> expected = EnumSet.noneOf(Rule.class);
        expected.addAll(Arrays.asList(rules));
        assertEquals(texts(gate).toString(), expected, rules(gate));
    }

    private static Set<Rule> rules(Gate gate) {
        Set<Rule> rules = EnumSet.noneOf(Rule.class);
        gate.report().findings().forEach(finding -> rules.add(finding.rule()));
        return rules;
    }

    static List<String> texts(Gate gate) {
        return gate.report().findings().stream().map(Finding::toString).collect(Collectors.toList());
    }
}
