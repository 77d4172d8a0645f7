package org.paimonbridge.commit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.paimonbridge.Warehouse.envelope;
import static org.paimonbridge.Warehouse.error;
import static org.paimonbridge.Warehouse.row;
import static org.paimonbridge.Warehouse.value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.apache.paimon.Snapshot;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.table.FileStoreTable;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.paimonbridge.BridgeEntryPoint;
import org.paimonbridge.EnvelopeBytes;
import org.paimonbridge.FaultyFileIO;
import org.paimonbridge.MessageBytes;
import org.paimonbridge.Warehouse;
import org.paimonbridge.json.Json;

/** Every way a commit can end, through the entry point, on a real table. */
public class CommitTest {

    @Rule public final Warehouse warehouse = new Warehouse();

    @After
    public void repair() {
        FaultyFileIO.publishing = FaultyFileIO.Publishing.WORKS;
    }

    // ---- good ends

    @Test
    public void messagesBecomeOneSnapshotUnderTheirOwnUser() throws Exception {
        FileStoreTable table = warehouse.partitioned();
        byte[] envelopes = envelope(table, warehouse.write(table, row(1, "x", "a"), row(2, "y", "b"))).commitUser("pb-1").encode();
        JsonNode result = value(commit(Warehouse.PARTITIONED, envelopes));
        assertEquals("COMMITTED", result.get("status").asText());
        assertEquals(1, result.get("snapshotId").asLong());
        assertEquals("pb-1", result.get("commitUser").asText());
        assertEquals(1, result.get("identifier").asLong());
        assertEquals(2, result.get("files").asInt());
        assertEquals(2, result.get("rows").asInt());
        assertTrue(result.get("bytes").asLong() > 500);
        assertTrue(result.get("visible").asBoolean());
        assertFalse(result.has("hint"));
        assertFalse(result.has("warning"));
        assertEquals(0, result.get("report").get("findings").size());
        for (String part : new String[] {"decode", "gate", "commit"}) {
            assertTrue(part, result.get("millis").get(part).asLong() >= 0);
        }
        assertEquals(Arrays.asList("1 x a", "2 y b"), warehouse.rows(table));
        Snapshot snapshot = table.snapshotManager().latestSnapshot();
        assertEquals("pb-1", snapshot.commitUser());
        assertEquals(1, snapshot.commitIdentifier());
    }

    @Test
    public void aRepeatedCommitIsAlreadyCommittedEvenAfterOthers() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] first = envelope(table, warehouse.write(table, row(1, "x"))).encode();
        value(commit(Warehouse.APPEND, first, "identifier", 5));
        value(commit(Warehouse.APPEND, envelope(table, warehouse.write(table, row(2, "y"))).encode(), "identifier", 6));
        for (int i = 0; i < 3; i++) {
            JsonNode again = value(commit(Warehouse.APPEND, first, "identifier", 5));
            assertEquals("ALREADY_COMMITTED", again.get("status").asText());
            assertEquals(1, again.get("snapshotId").asLong());
        }
        assertEquals(Arrays.asList("1 x", "2 y"), warehouse.rows(table));
        assertEquals(Long.valueOf(2), table.snapshotManager().latestSnapshotId());
    }

    @Test
    public void nothingToAddMakesNoSnapshot() throws Exception {
        FileStoreTable table = warehouse.append();
        assertEquals("EMPTY", value(commit(Warehouse.APPEND, new byte[0])).get("status").asText());
        assertEquals("EMPTY", value(commit(Warehouse.APPEND, envelope(table).encode())).get("status").asText());
        assertNull(table.snapshotManager().latestSnapshotId());
    }

    @Test
    public void keyedRowsMerge() throws Exception {
        FileStoreTable table = warehouse.primaryKey();
        value(commit(Warehouse.PRIMARY_KEY, envelope(table, warehouse.write(table, row(1, "old"), row(2, "x"))).encode()));
        byte[] update = envelope(table, warehouse.write(table, row(1, "new"))).commitUser("u2").encode();
        assertEquals("COMMITTED", value(commit(Warehouse.PRIMARY_KEY, update)).get("status").asText());
        assertEquals(Arrays.asList("1 new", "2 x"), warehouse.rows(table));
    }

    @Test
    public void rowsThatWaitForCompactionAreSaidToBeInvisible() throws Exception {
        FileStoreTable table = warehouse.primaryKey("deletion-vectors.enabled", "true", "write-only", "true");
        JsonNode result = value(commit(Warehouse.PRIMARY_KEY, envelope(table, warehouse.write(table, row(1, "x"))).encode()));
        assertFalse(result.get("visible").asBoolean());
        assertTrue(result.get("hint").asText(), result.get("hint").asText().contains("deletion vectors"));
        assertEquals(Collections.emptyList(), warehouse.rows(table));
    }

    // ---- refusals

    @Test
    public void aRefusalCarriesTheReportAndLeavesTheTableAlone() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] good = warehouse.write(table, row(1, "x")).get(0);
        byte[] bad = new MessageBytes(warehouse.write(table, row(2, "y")).get(0)).number(2, 1000).bytes();
        JsonNode error = error(commit(Warehouse.APPEND, envelope(table, good, bad).encode()));
        assertEquals("CONFORMANCE", error.get("kind").asText());
        assertEquals("MESSAGES_REFUSED", error.get("code").asText());
        JsonNode finding = error.get("details").get("report").get("findings").get(0);
        assertEquals("FILE_ROW_COUNT", finding.get("rule").asText());
        assertEquals("ERROR", finding.get("severity").asText());
        assertEquals(1, finding.get("messageIndex").asInt());
        assertTrue(finding.get("file").asText().endsWith(".parquet"));
        assertNull(table.snapshotManager().latestSnapshotId());
    }

    @Test
    public void anIdentifierThatGoesBackIsAnErrorAndNotSilence() throws Exception {
        FileStoreTable table = warehouse.append();
        value(commit(Warehouse.APPEND, envelope(table, warehouse.write(table, row(1, "x"))).encode(), "identifier", 7));
        JsonNode error = error(commit(Warehouse.APPEND, envelope(table, warehouse.write(table, row(2, "y"))).encode(), "identifier", 3));
        assertEquals("COMMIT", error.get("kind").asText());
        assertEquals("IDENTIFIER_WENT_BACK", error.get("code").asText());
        assertEquals(7, error.get("details").get("latestIdentifier").asLong());
        assertEquals(Collections.singletonList("1 x"), warehouse.rows(table));
    }

    @Test
    public void otherRowsUnderATakenIdentityAreAnErrorUnlessCalledASecondWriting() throws Exception {
        FileStoreTable table = warehouse.append();
        value(commit(Warehouse.APPEND, envelope(table, warehouse.write(table, row(1, "x"))).encode()));
        byte[] other = envelope(table, warehouse.write(table, row(2, "y"))).encode();
        JsonNode error = error(commit(Warehouse.APPEND, other));
        assertEquals("CONFLICT", error.get("kind").asText());
        assertEquals("IDENTIFIER_TAKEN", error.get("code").asText());
        JsonNode replay = value(commit(Warehouse.APPEND, other, "rewritten", true));
        assertEquals("ALREADY_COMMITTED", replay.get("status").asText());
        assertTrue(replay.get("warning").asText().contains("an earlier writing"));
        assertEquals(Collections.singletonList("1 x"), warehouse.rows(table));
    }

    @Test
    public void theBatchIdentifierIsNotAccepted() {
        JsonNode error = error(commit(Warehouse.APPEND, new byte[0], "identifier", Long.MAX_VALUE));
        assertEquals("BAD_REQUEST", error.get("code").asText());
    }

    @Test
    public void expiredHistoryIsNotGuessedAt() throws Exception {
        FileStoreTable table =
                warehouse.append("snapshot.num-retained.min", "1", "snapshot.num-retained.max", "1", "snapshot.time-retained", "1 ms");
        byte[] first = envelope(table, warehouse.write(table, row(1, "x"))).commitUser("stream").encode();
        value(commit(Warehouse.APPEND, first, "identifier", 4));
        Thread.sleep(20);
        value(commit(Warehouse.APPEND, envelope(table, warehouse.write(table, row(2, "y"))).commitUser("other").encode()));
        byte[] next = envelope(table, warehouse.write(table, row(3, "z"))).commitUser("stream").encode();
        JsonNode error = error(commit(Warehouse.APPEND, next, "identifier", 4));
        assertEquals("UNKNOWN", error.get("kind").asText());
        assertEquals("COMMIT_HISTORY_EXPIRED", error.get("code").asText());
        assertEquals("COMMITTED", value(commit(Warehouse.APPEND, next, "identifier", 4, "firstCommit", true)).get("status").asText());
        assertEquals(Arrays.asList("1 x", "2 y", "3 z"), warehouse.rows(table));
    }

    // ---- failures inside Paimon

    @Test
    public void aConflictIsKnownNotToBeCommitted() throws Exception {
        FileStoreTable table = warehouse.append();
        List<byte[]> messages = warehouse.write(table, row(1, "x"));
        value(commit(Warehouse.APPEND, envelope(table, messages).commitUser("a").encode()));
        // With the gate off, it is Paimon's own conflict detection that finds the file in the table.
        JsonNode error = error(commit(Warehouse.APPEND, envelope(table, messages).commitUser("b").encode(), "level", "off"));
        assertEquals("CONFLICT", error.get("kind").asText());
        assertEquals("COMMIT_CONFLICT", error.get("code").asText());
        assertEquals(Collections.singletonList("1 x"), warehouse.rows(table));
    }

    @Test
    public void aFailureBeforePublishingIsKnownNotToBeCommitted() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] message = new MessageBytes(warehouse.write(table, row(1, "x")).get(0)).name("data-gone.parquet").bytes();
        JsonNode error = error(commit(Warehouse.APPEND, envelope(table, message).encode(), "level", "off"));
        assertEquals("COMMIT", error.get("kind").asText());
        assertEquals("COMMIT_FAILED", error.get("code").asText());
        assertNull(table.snapshotManager().latestSnapshotId());
    }

    @Test
    public void aCallbackThatFailsAfterTheSnapshotDoesNotHideIt() throws Exception {
        FileStoreTable table = warehouse.append("commit.callbacks", FailingCallback.class.getName());
        byte[] envelopes = envelope(table, warehouse.write(table, row(1, "x"))).encode();
        JsonNode result = value(commit(Warehouse.APPEND, envelopes));
        assertEquals("COMMITTED", result.get("status").asText());
        assertTrue(result.get("warning").asText().startsWith("The snapshot exists, but something failed after it was made"));
        assertEquals("ALREADY_COMMITTED", value(commit(Warehouse.APPEND, envelopes)).get("status").asText());
        assertEquals(Collections.singletonList("1 x"), warehouse.rows(table));
    }

    @Test
    public void aFailureWhilePublishingIsUnknownAndARetryFindsTheTruth() throws Exception {
        String options = "{\"warehouse\":\"faulty:" + warehouse.getRoot() + "\"}";
        FileStoreTable table = warehouse.append("commit.max-retries", "1");
        byte[] envelopes = envelope(table, warehouse.write(table, row(1, "x"))).encode();
        FaultyFileIO.publishing = FaultyFileIO.Publishing.FAILS;
        JsonNode error = error(BridgeEntryPoint.commit(options, request(Warehouse.APPEND), envelopes));
        assertEquals("UNKNOWN", error.get("kind").asText());
        assertEquals("COMMIT_STATE_UNKNOWN", error.get("code").asText());
        assertTrue(error.get("message").asText(), error.get("message").asText().endsWith("the store does not answer"));
        assertTrue(error.get("remedy").asText().startsWith("Delete nothing"));
        // While nobody knows, nothing is deleted either: the snapshot could still appear.
        List<String> files = warehouse.files();
        JsonNode abort = error(BridgeEntryPoint.abort(options, request(Warehouse.APPEND), envelopes));
        assertEquals("COMMIT_STATE_UNKNOWN", abort.get("code").asText());
        assertEquals(files, warehouse.files());
        FaultyFileIO.publishing = FaultyFileIO.Publishing.WORKS;
        assertEquals(
                "COMMITTED", value(BridgeEntryPoint.commit(options, request(Warehouse.APPEND), envelopes)).get("status").asText());
        assertEquals(Collections.singletonList("1 x"), warehouse.rows(table));
    }

    @Test
    public void losingEveryRaceIsAConflict() throws Exception {
        String options = "{\"warehouse\":\"faulty:" + warehouse.getRoot() + "\"}";
        FileStoreTable table = warehouse.append("commit.max-retries", "1");
        byte[] envelopes = envelope(table, warehouse.write(table, row(1, "x"))).encode();
        FaultyFileIO.publishing = FaultyFileIO.Publishing.COMES_SECOND;
        JsonNode error = error(BridgeEntryPoint.commit(options, request(Warehouse.APPEND), envelopes));
        assertEquals("CONFLICT", error.get("kind").asText());
        assertEquals("COMMIT_CONFLICT", error.get("code").asText());
        assertNull(table.snapshotManager().latestSnapshotId());
        FaultyFileIO.publishing = FaultyFileIO.Publishing.WORKS;
        assertEquals(1, value(BridgeEntryPoint.abort(options, request(Warehouse.APPEND), envelopes)).get("deleted").size());
    }

    @Test
    public void aSnapshotThatWasReportedAsFailedIsCommittedOnce() throws Exception {
        String options = "{\"warehouse\":\"faulty:" + warehouse.getRoot() + "\"}";
        FileStoreTable table = warehouse.append("commit.max-retries", "1");
        byte[] envelopes = envelope(table, warehouse.write(table, row(1, "x"))).encode();
        FaultyFileIO.publishing = FaultyFileIO.Publishing.WORKS_AND_THROWS;
        assertEquals(
                "COMMITTED", value(BridgeEntryPoint.commit(options, request(Warehouse.APPEND), envelopes)).get("status").asText());
        FaultyFileIO.publishing = FaultyFileIO.Publishing.WORKS;
        assertEquals(
                "ALREADY_COMMITTED",
                value(BridgeEntryPoint.commit(options, request(Warehouse.APPEND), envelopes)).get("status").asText());
        assertEquals(Collections.singletonList("1 x"), warehouse.rows(table));
        assertEquals(Long.valueOf(1), table.snapshotManager().latestSnapshotId());
    }

    // ---- side by side

    @Test
    public void ofCommitsThatShareAnIdentityOneWinsAndTheOthersHearOfIt() throws Exception {
        FileStoreTable table = warehouse.append();
        List<Callable<String>> calls = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            byte[] envelopes = envelope(table, warehouse.write(table, row(i, "x"))).encode();
            calls.add(() -> commit(Warehouse.APPEND, envelopes));
        }
        Map<String, Integer> ends = ends(calls);
        assertEquals("{COMMITTED=1, IDENTIFIER_TAKEN=5}", ends.toString());
        assertEquals(1, warehouse.rows(table).size());
    }

    @Test
    public void theSameCommitFromManySidesIsOneSnapshot() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] envelopes = envelope(table, warehouse.write(table, row(1, "x"))).encode();
        assertEquals(
                "{ALREADY_COMMITTED=5, COMMITTED=1}",
                ends(Collections.nCopies(6, (Callable<String>) () -> commit(Warehouse.APPEND, envelopes))).toString());
        assertEquals(Long.valueOf(1), table.snapshotManager().latestSnapshotId());
    }

    @Test
    public void commitsOfDifferentUsersAllArrive() throws Exception {
        FileStoreTable table = warehouse.append("commit.max-retries", "100");
        List<Callable<String>> calls = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            byte[] envelopes = envelope(table, warehouse.write(table, row(i, "x"))).commitUser("pb-" + i).encode();
            calls.add(() -> commit(Warehouse.APPEND, envelopes));
        }
        assertEquals("{COMMITTED=12}", ends(calls).toString());
        assertEquals(12, warehouse.rows(table).size());
        assertEquals(Long.valueOf(12), table.snapshotManager().latestSnapshotId());
    }

    @Test
    public void aRepeatedRequestGetsTheFirstAnswer() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] envelopes = envelope(table, warehouse.write(table, row(1, "x"))).encode();
        String first = commit(Warehouse.APPEND, envelopes, "requestId", "r-" + table.uuid());
        assertEquals("COMMITTED", value(first).get("status").asText());
        assertEquals(first, commit(Warehouse.APPEND, envelopes, "requestId", "r-" + table.uuid()));
        JsonNode other = value(commit(Warehouse.APPEND, envelopes, "requestId", "s-" + table.uuid()));
        assertEquals("ALREADY_COMMITTED", other.get("status").asText());
    }

    @Test
    public void twoEnvelopesOfOneRunAreOneSnapshot() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] one = envelope(table, warehouse.write(table, row(1, "x"))).task(0, 10).encode();
        byte[] two = envelope(table, warehouse.write(table, row(2, "y"))).task(1, 11).encode();
        JsonNode result = value(commit(Warehouse.APPEND, EnvelopeBytes.join(one, two)));
        assertEquals(1, result.get("snapshotId").asLong());
        assertEquals(Arrays.asList("1 x", "2 y"), warehouse.rows(table));
    }

    private String commit(String table, byte[] envelopes, Object... more) {
        return BridgeEntryPoint.commit(warehouse.optionsJson(), request(table, more), envelopes);
    }

    private static String request(String table, Object... more) {
        Map<String, Object> request = new TreeMap<>();
        request.put("table", table);
        for (int i = 0; i < more.length; i += 2) {
            request.put((String) more[i], more[i + 1]);
        }
        return Json.write(request);
    }

    /** How often each end occurred: a status, or the code of an error. */
    private static Map<String, Integer> ends(List<Callable<String>> calls) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(calls.size());
        Map<String, Integer> ends = new TreeMap<>();
        try {
            for (Future<String> future : pool.invokeAll(calls)) {
                JsonNode answer = Json.parseObject("the answer", future.get());
                String end =
                        answer.get("ok").asBoolean()
                                ? answer.get("value").get("status").asText()
                                : answer.get("error").get("code").asText();
                ends.merge(end, 1, Integer::sum);
            }
        } finally {
            pool.shutdownNow();
        }
        return ends;
    }
}
