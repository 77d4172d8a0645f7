package org.paimonbridge.commit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.paimonbridge.Warehouse.envelope;
import static org.paimonbridge.Warehouse.error;
import static org.paimonbridge.Warehouse.row;
import static org.paimonbridge.Warehouse.value;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.apache.paimon.Snapshot;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.paimonbridge.BridgeEntryPoint;
import org.paimonbridge.Warehouse;
import org.paimonbridge.json.Json;

/** What is asked to be replaced is replaced, nothing else, once; and the table's own default has no say in it. */
public class OverwriteTest {

    private static final Map<String, Object> DYNAMIC = Collections.singletonMap("mode", "dynamic");
    private static final Map<String, Object> TRUNCATE = Collections.singletonMap("mode", "truncate");

    @Rule public final Warehouse warehouse = new Warehouse();

    private FileStoreTable table;

    @Before
    public void threePartitions() throws Exception {
        // Paimon's default, and the opposite of what a static overwrite needs.
        table = warehouse.partitioned("dynamic-partition-overwrite", "true");
        commit("seed", null, row(1, "x", "a"), row(2, "y", "b"), row(3, "z", "c"));
    }

    // ---- dynamic

    @Test
    public void dynamicReplacesTheTouchedPartitionsWhateverTheOptionSays() throws Exception {
        JsonNode result = value(commit("u", DYNAMIC, row(10, "new", "a"), row(11, "new", "d")));
        assertEquals("COMMITTED", result.get("status").asText());
        assertEquals("OVERWRITE", result.get("kind").asText());
        assertEquals(1, result.get("filesRemoved").asInt());
        assertEquals(1, result.get("rowsRemoved").asInt());
        assertEquals(Arrays.asList("10 new a", "11 new d", "2 y b", "3 z c"), warehouse.rows(table));
    }

    @Test
    public void dynamicWorksWhereTheTableIsSetToStatic() throws Exception {
        FileStoreTable other =
                warehouse.create(
                        "db.static",
                        Schema.newBuilder()
                                .column("id", DataTypes.INT())
                                .column("dt", DataTypes.STRING())
                                .partitionKeys("dt")
                                .option("dynamic-partition-overwrite", "false")
                                .build());
        value(commit(other, "seed", null, row(1, "a"), row(2, "b")));
        value(commit(other, "u", DYNAMIC, row(9, "a")));
        assertEquals(Arrays.asList("2 b", "9 a"), warehouse.rows(other));
    }

    @Test
    public void dynamicWithoutFilesDoesNothing() throws Exception {
        assertEquals("EMPTY", value(commit("u", DYNAMIC)).get("status").asText());
        FileStoreTable plain = warehouse.append();
        value(commit(plain, "seed", null, row(1, "x")));
        // Paimon alone would empty a table without partitions here.
        assertEquals("EMPTY", value(commit(plain, "u", DYNAMIC)).get("status").asText());
        assertEquals(1, warehouse.rows(plain).size());
    }

    @Test
    public void dynamicReplacesAllRowsOfATableWithoutPartitions() throws Exception {
        FileStoreTable plain = warehouse.append();
        value(commit(plain, "seed", null, row(1, "x"), row(2, "y")));
        value(commit(plain, "u", DYNAMIC, row(3, "z")));
        assertEquals(Collections.singletonList("3 z"), warehouse.rows(plain));
    }

    // ---- static

    @Test
    public void staticReplacesExactlyTheStatedPartition() throws Exception {
        JsonNode result = value(commit("u", partition("dt", "a"), row(10, "new", "a")));
        assertEquals("OVERWRITE", result.get("kind").asText());
        assertEquals(Arrays.asList("10 new a", "2 y b", "3 z c"), warehouse.rows(table));
    }

    @Test
    public void staticWithoutFilesEmptiesThePartition() throws Exception {
        JsonNode result = value(commit("u", partition("dt", "b")));
        assertEquals("COMMITTED", result.get("status").asText());
        assertEquals(1, result.get("rowsRemoved").asInt());
        assertEquals(Arrays.asList("1 x a", "3 z c"), warehouse.rows(table));
        JsonNode again = value(commit("u", partition("dt", "b")));
        assertEquals("ALREADY_COMMITTED", again.get("status").asText());
        assertEquals(Long.valueOf(2), table.snapshotManager().latestSnapshotId());
    }

    @Test
    public void rowsOutsideTheStatedPartitionAreRefusedAndAllNamed() throws Exception {
        JsonNode error = error(commit("u", partition("dt", "a"), row(1, "n", "a"), row(2, "n", "q"), row(3, "n", "r")));
        assertEquals("COMMIT", error.get("kind").asText());
        assertEquals("ROWS_OUTSIDE_OVERWRITE", error.get("code").asText());
        assertEquals("[\"dt=q\",\"dt=r\"]", error.get("details").get("partitions").toString());
        assertTrue(error.get("message").asText(), error.get("message").asText().contains("dt=q, dt=r"));
        assertEquals(Long.valueOf(1), table.snapshotManager().latestSnapshotId());
    }

    @Test
    public void aPartOfThePartitionColumnsIsEnoughAndNullIsAValue() throws Exception {
        FileStoreTable two =
                warehouse.create(
                        "db.two",
                        Schema.newBuilder()
                                .column("id", DataTypes.INT())
                                .column("dt", DataTypes.STRING())
                                .column("hr", DataTypes.STRING())
                                .partitionKeys("dt", "hr")
                                .build());
        GenericRow withNull = GenericRow.of(5, BinaryString.fromString("b"), null);
        value(commit(two, "seed", null, row(1, "a", "1"), row(2, "a", "2"), row(3, "b", "1"), withNull));
        value(commit(two, "u1", partition("dt", "a"), row(9, "a", "3")));
        assertEquals(Arrays.asList("3 b 1", "5 b null", "9 a 3"), warehouse.rows(two));
        value(commit(two, "u2", partition("hr", null)));
        assertEquals(Arrays.asList("3 b 1", "9 a 3"), warehouse.rows(two));
        value(commit(two, "u3", partition("hr", "1"), row(4, "c", "1")));
        assertEquals(Arrays.asList("4 c 1", "9 a 3"), warehouse.rows(two));
    }

    @Test
    public void valuesOfEveryPartitionTypeAreFoundByTheirText() throws Exception {
        Object[][] cases = {
            {DataTypes.DATE(), 20630, 20631, "2026-06-26"},
            {DataTypes.BIGINT(), -5L, 5L, "-5"},
            {DataTypes.BOOLEAN(), true, false, "true"},
            {DataTypes.DECIMAL(10, 2), decimal("1.50"), decimal("1.51"), "1.50"},
            {DataTypes.DOUBLE(), 0.1, 0.2, "0.1"},
            {DataTypes.FLOAT(), 0.1f, 0.2f, "0.1"},
            {DataTypes.SMALLINT(), (short) 7, (short) 8, "7"},
            {DataTypes.TINYINT(), (byte) 7, (byte) 8, "7"},
            {DataTypes.TIMESTAMP(3), Timestamp.fromEpochMillis(1_000), Timestamp.fromEpochMillis(1_001), "1970-01-01 00:00:01"},
            {DataTypes.STRING(), BinaryString.fromString(""), BinaryString.fromString(" "), ""},
            {DataTypes.STRING(), BinaryString.fromString("a=b/c"), BinaryString.fromString("x"), "a=b/c"},
        };
        for (int i = 0; i < cases.length; i++) {
            FileStoreTable typed =
                    warehouse.create(
                            "db.typed" + i,
                            Schema.newBuilder()
                                    .column("id", DataTypes.INT())
                                    .column("p", (DataType) cases[i][0])
                                    .partitionKeys("p")
                                    .build());
            value(commit(typed, "seed", null, GenericRow.of(1, cases[i][1]), GenericRow.of(2, cases[i][2])));
            JsonNode result = value(commit(typed, "u", partition("p", cases[i][3])));
            assertEquals(String.valueOf(cases[i][0]), 1, result.get("rowsRemoved").asInt());
        }
    }

    @Test
    public void whatCannotBeAStaticPartitionIsSaid() throws Exception {
        assertEquals("OVERWRITE_COLUMN_UNKNOWN", error(commit("u", partition("id", "1"))).get("code").asText());
        assertEquals("OVERWRITE_COLUMN_UNKNOWN", error(commit("u", Collections.singletonMap("mode", "static"))).get("code").asText());
        FileStoreTable plain = warehouse.append();
        assertEquals("OVERWRITE_NOT_PARTITIONED", error(commit(plain, "u", partition("id", "1"))).get("code").asText());
        FileStoreTable days =
                warehouse.create(
                        "db.days",
                        Schema.newBuilder().column("id", DataTypes.INT()).column("d", DataTypes.DATE()).partitionKeys("d").build());
        assertEquals("OVERWRITE_VALUE_INVALID", error(commit(days, "u", partition("d", "someday"))).get("code").asText());
        assertEquals("BAD_REQUEST", error(commit("u", Collections.singletonMap("mode", "most"))).get("code").asText());
        assertEquals(Long.valueOf(1), table.snapshotManager().latestSnapshotId());
    }

    // ---- truncate

    @Test
    public void truncateReplacesOrEmptiesTheWholeTable() throws Exception {
        value(commit("u", TRUNCATE, row(9, "new", "q")));
        assertEquals(Collections.singletonList("9 new q"), warehouse.rows(table));
        JsonNode emptied = value(commit("v", TRUNCATE));
        assertEquals("COMMITTED", emptied.get("status").asText());
        assertEquals(Collections.emptyList(), warehouse.rows(table));
        assertEquals("ALREADY_COMMITTED", value(commit("v", TRUNCATE)).get("status").asText());
        FileStoreTable plain = warehouse.append();
        value(commit(plain, "seed", null, row(1, "x")));
        value(commit(plain, "v", TRUNCATE));
        assertEquals(Collections.emptyList(), warehouse.rows(plain));
    }

    @Test
    public void truncateWithoutMessagesNeedsACommitUser() {
        String request = "{\"table\":\"db.partitioned\",\"overwrite\":{\"mode\":\"truncate\"}}";
        assertEquals("COMMIT_USER_MISSING", error(BridgeEntryPoint.commit(warehouse.optionsJson(), request, null)).get("code").asText());
    }

    // ---- once, and only as asked

    @Test
    public void aRepeatedOverwriteIsDoneOnce() throws Exception {
        List<byte[]> messages = warehouse.write(table, row(10, "new", "a"));
        byte[] envelopes = envelope(table, messages).commitUser("u").encode();
        assertEquals("COMMITTED", value(send(table, DYNAMIC, envelopes)).get("status").asText());
        // Rows that came in between are not removed by the repetition.
        value(commit("between", null, row(20, "kept", "a")));
        JsonNode again = value(send(table, DYNAMIC, envelopes));
        assertEquals("ALREADY_COMMITTED", again.get("status").asText());
        assertEquals(2, again.get("snapshotId").asInt());
        assertEquals(Arrays.asList("10 new a", "2 y b", "20 kept a", "3 z c"), warehouse.rows(table));
    }

    @Test
    public void theSameMessagesCannotBeAddedFirstAndReplacingThen() throws Exception {
        byte[] added = envelope(table, warehouse.write(table, row(10, "new", "a"))).commitUser("u").encode();
        value(send(table, null, added));
        assertEquals("COMMITTED_AS_ANOTHER_KIND", error(send(table, DYNAMIC, added)).get("code").asText());
        byte[] replacing = envelope(table, warehouse.write(table, row(11, "new", "a"))).commitUser("v").encode();
        value(send(table, DYNAMIC, replacing));
        assertEquals("COMMITTED_AS_ANOTHER_KIND", error(send(table, null, replacing)).get("code").asText());
    }

    @Test
    public void anEmptyingUnderATakenIdentityIsRefused() throws Exception {
        value(commit("u", null, row(10, "new", "a")));
        assertEquals("IDENTIFIER_TAKEN", error(commit("u", partition("dt", "a"))).get("code").asText());
        assertEquals(4, warehouse.rows(table).size());
    }

    @Test
    public void aPrimaryKeyTableStartsAfreshWithAnotherBucketCount() throws Exception {
        FileStoreTable keyed = warehouse.primaryKey();
        value(commit(keyed, "seed", null, row(1, "old"), row(2, "old"), row(3, "old")));
        FileStoreTable rescaled = keyed.copy(keyed.schema().copy(Collections.singletonMap("bucket", "5")));
        java.nio.file.Path schema = warehouse.getRoot().toPath().resolve("db.db/primary_key/schema/schema-0");
        java.nio.file.Files.write(schema, rescaled.schema().toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
        FileStoreTable changed = warehouse.load(Warehouse.PRIMARY_KEY);
        byte[] envelopes =
                envelope(changed, warehouse.overwrite(changed, row(1, "new"), row(4, "new"))).commitUser("u").encode();
        JsonNode result = value(send(changed, DYNAMIC, envelopes));
        assertEquals("OVERWRITE", result.get("kind").asText());
        assertEquals(Arrays.asList("1 new", "4 new"), warehouse.rows(changed));
        value(commit(changed, "more", null, row(4, "newer")));
        assertEquals(Arrays.asList("1 new", "4 newer"), warehouse.rows(changed));
    }

    @Test
    public void checkSeesWhatTheCommitWouldSee() throws Exception {
        byte[] outside = envelope(table, warehouse.write(table, row(1, "n", "q"))).commitUser("u").encode();
        String request = request(table, partition("dt", "a"));
        assertEquals(
                "ROWS_OUTSIDE_OVERWRITE", error(BridgeEntryPoint.check(warehouse.optionsJson(), request, outside)).get("code").asText());
        JsonNode report = value(BridgeEntryPoint.check(warehouse.optionsJson(), request(table, DYNAMIC), outside));
        assertEquals(0, report.get("findings").size());
        assertNull(table.snapshotManager().latestSnapshot().watermark());
    }

    // ---- watermark, properties, tags

    @Test
    public void aSnapshotCarriesWatermarkAndTag() throws Exception {
        byte[] envelopes = envelope(table, warehouse.write(table, row(4, "n", "a"))).commitUser("u").encode();
        String request = request(table, null, "watermark", 1234L, "tag", "nightly 2026-06-26");
        JsonNode result = value(BridgeEntryPoint.commit(warehouse.optionsJson(), request, envelopes));
        assertEquals("nightly 2026-06-26", result.get("tag").asText());
        Snapshot snapshot = table.snapshotManager().latestSnapshot();
        assertEquals(Long.valueOf(1234), snapshot.watermark());
        assertEquals(2, table.tagManager().getOrThrow("nightly 2026-06-26").id());
        assertEquals("ALREADY_COMMITTED", value(BridgeEntryPoint.commit(warehouse.optionsJson(), request, envelopes)).get("status").asText());
        // A tag that was lost after the snapshot is made by the repetition.
        table.deleteTag("nightly 2026-06-26");
        value(BridgeEntryPoint.commit(warehouse.optionsJson(), request, envelopes));
        assertEquals(2, table.tagManager().getOrThrow("nightly 2026-06-26").id());
    }

    @Test
    public void aTagOfAnotherSnapshotOrABadNameRefusesBeforeTheCommit() throws Exception {
        table.createTag("taken", 1);
        byte[] envelopes = envelope(table, warehouse.write(table, row(4, "n", "a"))).commitUser("u").encode();
        for (String[] bad : new String[][] {
            {"taken", "TAG_EXISTS"}, {"../x", "TAG_NAME_INVALID"}, {"12", "TAG_NAME_INVALID"}, {" ", "TAG_NAME_INVALID"}, {"..", "TAG_NAME_INVALID"}
        }) {
            JsonNode error = error(BridgeEntryPoint.commit(warehouse.optionsJson(), request(table, null, "tag", bad[0]), envelopes));
            assertEquals(bad[0], bad[1], error.get("code").asText());
        }
        assertEquals(Long.valueOf(1), table.snapshotManager().latestSnapshotId());
    }

    @Test
    public void propertiesAreKeptOrTheReleaseIsNamed() throws Exception {
        byte[] envelopes = envelope(table, warehouse.write(table, row(4, "n", "a"))).commitUser("u").encode();
        String request = request(table, null, "properties", Collections.singletonMap("job", "nightly"));
        String answer = BridgeEntryPoint.commit(warehouse.optionsJson(), request, envelopes);
        if (System.getProperty("paimonbridge.testedRelease").compareTo("1.2") < 0) {
            assertEquals("RELEASE_LACKS_FEATURE", error(answer).get("code").asText());
            assertEquals(Long.valueOf(1), table.snapshotManager().latestSnapshotId());
        } else {
            value(answer);
            assertTrue(table.snapshotManager().latestSnapshot().toJson().contains("\"job\" : \"nightly\""));
        }
    }

    @Test
    public void aBranchIsATableOfItsOwn() throws Exception {
        table.createTag("start", 1);
        table.createBranch("side", "start");
        FileStoreTable side = warehouse.load("db.partitioned$branch_side");
        byte[] envelopes = envelope(side, warehouse.write(side, row(9, "side", "a"))).commitUser("u").encode();
        String request = "{\"table\":\"db.partitioned$branch_side\",\"overwrite\":{\"mode\":\"dynamic\"}}";
        assertEquals("COMMITTED", value(BridgeEntryPoint.commit(warehouse.optionsJson(), request, envelopes)).get("status").asText());
        assertEquals(Arrays.asList("2 y b", "3 z c", "9 side a"), warehouse.rows(side));
        assertEquals(Arrays.asList("1 x a", "2 y b", "3 z c"), warehouse.rows(table));
        assertFalse(warehouse.load("db.partitioned").snapshotManager().snapshotExists(2));
    }

    private static Decimal decimal(String text) {
        return Decimal.fromBigDecimal(new java.math.BigDecimal(text), 10, 2);
    }

    private static Map<String, Object> partition(String column, Object value) {
        Map<String, Object> overwrite = new TreeMap<>();
        overwrite.put("mode", "static");
        overwrite.put("partition", Collections.singletonMap(column, value));
        return overwrite;
    }

    private String commit(String user, Map<String, Object> overwrite, GenericRow... rows) throws Exception {
        return commit(table, user, overwrite, rows);
    }

    private String commit(FileStoreTable target, String user, Map<String, Object> overwrite, GenericRow... rows) throws Exception {
        return send(target, overwrite, envelope(target, warehouse.write(target, rows)).commitUser(user).encode());
    }

    private String send(FileStoreTable target, Map<String, Object> overwrite, byte[] envelopes) {
        return BridgeEntryPoint.commit(warehouse.optionsJson(), request(target, overwrite), envelopes);
    }

    private static String request(FileStoreTable target, Map<String, Object> overwrite, Object... more) {
        Map<String, Object> request = new TreeMap<>();
        request.put("table", target.fullName());
        request.put("overwrite", overwrite);
        for (int i = 0; i < more.length; i += 2) {
            request.put((String) more[i], more[i + 1]);
        }
        return Json.write(request);
    }
}
