package org.paimonbridge.commit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.paimonbridge.Warehouse.envelope;
import static org.paimonbridge.Warehouse.error;
import static org.paimonbridge.Warehouse.row;
import static org.paimonbridge.Warehouse.value;

import java.io.File;
import java.nio.file.Files;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

import org.apache.paimon.disk.IOManager;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageSerializer;
import org.apache.paimon.table.sink.TableCommitImpl;
import org.apache.paimon.table.sink.TableWriteImpl;
import org.apache.paimon.types.DataTypes;
import org.junit.Rule;
import org.junit.Test;
import org.paimonbridge.BridgeEntryPoint;
import org.paimonbridge.MessageBytes;
import org.paimonbridge.Warehouse;
import org.paimonbridge.codec.MessageDecoder;

/** Abort removes exactly what uncommitted messages made, and nothing that anything refers to. */
public class AbortTest {

    @Rule public final Warehouse warehouse = new Warehouse();

    @Test
    public void dataAndExtraFilesOfUncommittedMessagesGo() throws Exception {
        FileStoreTable table =
                warehouse.append("file-index.bloom-filter.columns", "name", "file-index.in-manifest-threshold", "1 b");
        byte[] envelopes = envelope(table, warehouse.write(table, row(1, "x"))).encode();
        assertEquals(2, dataFiles().size());
        JsonNode result = abort(Warehouse.APPEND, envelopes);
        assertEquals(2, result.get("deleted").size());
        assertEquals(0, result.get("kept").size());
        assertEquals(Collections.emptyList(), dataFiles());
    }

    @Test
    public void indexFilesGoToo() throws Exception {
        FileStoreTable table =
                warehouse.create(
                        "db.dynamic",
                        Schema.newBuilder()
                                .column("id", DataTypes.INT())
                                .column("name", DataTypes.STRING())
                                .primaryKey("id")
                                .option("bucket", "-1")
                                .build());
        byte[] message;
        try (TableWriteImpl<?> write = table.newWrite("u");
                IOManager spill = IOManager.create(warehouse.newFolder().getPath())) {
            write.withIOManager(spill);
            write.write(row(1, "x"), 0);
            message = new CommitMessageSerializer().serialize(write.prepareCommit(true, 1).get(0));
        }
        assertEquals(1, indexFiles().size());
        JsonNode result = abort("db.dynamic", envelope(table, message).encode());
        assertEquals(2, result.get("deleted").size());
        assertEquals(0, result.get("kept").size());
        assertEquals(Collections.emptyList(), dataFiles());
        assertEquals(Collections.emptyList(), indexFiles());
    }

    @Test
    public void committedFilesStayAndSayWhy() throws Exception {
        FileStoreTable table = warehouse.partitioned();
        byte[] committed = envelope(table, warehouse.write(table, row(1, "x", "a"))).encode();
        value(BridgeEntryPoint.commit(warehouse.optionsJson(), "{\"table\":\"db.partitioned\"}", committed));
        JsonNode result = abort(Warehouse.PARTITIONED, committed);
        assertEquals(0, result.get("deleted").size());
        assertEquals("in use by snapshot 1", result.get("kept").get(0).get("reason").asText());
        assertEquals(Collections.singletonList("1 x a"), warehouse.rows(table));
    }

    @Test
    public void filesThatOnlyATagHoldsStay() throws Exception {
        FileStoreTable table =
                warehouse.append(
                        "snapshot.num-retained.min", "1",
                        "snapshot.num-retained.max", "1",
                        "snapshot.time-retained", "1 ms",
                        // Rewrites manifests at every commit, so that none mentions what was replaced.
                        "manifest.full-compaction-threshold-size", "1 b",
                        "manifest.merge-min-count", "1");
        byte[] tagged = envelope(table, warehouse.write(table, row(1, "x"))).encode();
        value(BridgeEntryPoint.commit(warehouse.optionsJson(), "{\"table\":\"db.append\"}", tagged));
        table.createTag("keep", 1);
        for (int i = 0; i < 3; i++) {
            Thread.sleep(20);
            CommitMessage next = new MessageDecoder().decode(warehouse.write(table, row(2, "y")).get(0));
            try (TableCommitImpl commit = table.newCommit("overwriter").withOverwrite(Collections.emptyMap())) {
                commit.commit(i, Collections.singletonList(next));
            }
        }
        assertEquals(Long.valueOf(4), table.snapshotManager().earliestSnapshotId());
        JsonNode result = abort(Warehouse.APPEND, tagged);
        assertEquals(0, result.get("deleted").size());
        assertEquals("in use by a tag of snapshot 1", result.get("kept").get(0).get("reason").asText());
    }

    @Test
    public void filesThatOnlyABranchHoldsStay() throws Exception {
        FileStoreTable table = warehouse.append();
        table.createBranch("side");
        List<byte[]> messages = warehouse.write(table, row(1, "x"));
        try (TableCommitImpl commit = table.switchToBranch("side").newCommit("u")) {
            commit.commit(1, Collections.singletonList(new MessageDecoder().decode(messages.get(0))));
        }
        JsonNode result = abort(Warehouse.APPEND, envelope(table, messages).encode());
        assertEquals(0, result.get("deleted").size());
        assertEquals("in use by snapshot 1 of branch side", result.get("kept").get(0).get("reason").asText());
    }

    @Test
    public void filesOfABranchThatOnlyTheMainTableHoldsStay() throws Exception {
        FileStoreTable table = warehouse.append();
        table.createBranch("side");
        FileStoreTable side = warehouse.load("db.append$branch_side");
        List<byte[]> messages = warehouse.write(side, row(1, "x"));
        try (TableCommitImpl commit = table.newCommit("u")) {
            commit.commit(1, Collections.singletonList(new MessageDecoder().decode(messages.get(0))));
        }
        JsonNode result = abort("db.append$branch_side", envelope(side, messages).encode());
        assertEquals(0, result.get("deleted").size());
        assertEquals("in use by snapshot 1", result.get("kept").get(0).get("reason").asText());
        assertEquals(Collections.singletonList("1 x"), warehouse.rows(table));
    }

    @Test
    public void changelogFilesGoTooWhilePaimonsOwnAbortLeavesExtraFiles() throws Exception {
        FileStoreTable table =
                warehouse.primaryKey(
                        "changelog-producer", "input",
                        "file-index.bloom-filter.columns", "name",
                        "file-index.in-manifest-threshold", "1 b");
        List<byte[]> first = warehouse.write(table, row(1, "x"));
        try (TableCommitImpl commit = table.newCommit("u")) {
            commit.abort(Collections.singletonList(new MessageDecoder().decode(first.get(0))));
        }
        assertTrue("Paimon leaves something", !dataFiles().isEmpty());
        List<String> left = dataFiles();
        byte[] envelopes = envelope(table, warehouse.write(table, row(1, "x"))).encode();
        long changelogs = dataFiles().stream().filter(file -> file.contains("changelog-") && file.endsWith(".parquet")).count();
        assertEquals(1, changelogs);
        abort(Warehouse.PRIMARY_KEY, envelopes);
        assertEquals(left, dataFiles());
    }

    @Test
    public void aSecondAbortFindsNothing() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] envelopes = envelope(table, warehouse.write(table, row(1, "x"))).encode();
        abort(Warehouse.APPEND, envelopes);
        JsonNode again = abort(Warehouse.APPEND, envelopes);
        assertEquals(0, again.get("deleted").size());
        assertEquals("not there", again.get("kept").get(0).get("reason").asText());
    }

    @Test
    public void namesThatLeadOutAreKeptAndTheCanaryLives() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] message = warehouse.write(table, row(1, "x")).get(0);
        File canary = new File(warehouse.getRoot(), "canary.parquet");
        Files.write(canary.toPath(), new byte[] {1});
        String name = new MessageBytes(message).name();
        StringBuilder escape = new StringBuilder("canary.parquet");
        while (escape.length() + 3 <= name.length()) {
            escape.insert(0, "../");
        }
        byte[] changed = new MessageBytes(message).name(escape.toString()).bytes();
        JsonNode result = abort(Warehouse.APPEND, envelope(table, changed).encode());
        assertEquals(0, result.get("deleted").size());
        assertEquals("its place inside the table cannot be told", result.get("kept").get(0).get("reason").asText());
        assertTrue(canary.exists());
    }

    @Test
    public void messagesOfAnotherTableDeleteNothing() throws Exception {
        FileStoreTable table = warehouse.append();
        FileStoreTable other = warehouse.primaryKey();
        byte[] envelopes = envelope(table, warehouse.write(table, row(1, "x"))).encode();
        JsonNode error =
                error(BridgeEntryPoint.abort(warehouse.optionsJson(), "{\"table\":\"" + other.fullName() + "\"}", envelopes));
        assertEquals("CONFORMANCE", error.get("kind").asText());
        assertEquals(1, dataFiles().size());
    }

    private JsonNode abort(String table, byte[] envelopes) {
        return value(BridgeEntryPoint.abort(warehouse.optionsJson(), "{\"table\":\"" + table + "\"}", envelopes));
    }

    private List<String> indexFiles() {
        return warehouse.files().stream().filter(file -> file.contains("/index/index-")).collect(Collectors.toList());
    }

    private List<String> dataFiles() {
        return warehouse.files().stream().filter(file -> file.contains("/bucket-")).collect(Collectors.toList());
    }
}
