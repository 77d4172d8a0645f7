package org.paimonbridge.table;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;
import static org.paimonbridge.Warehouse.error;
import static org.paimonbridge.Warehouse.row;
import static org.paimonbridge.Warehouse.value;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.BinaryRowWriter;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.TableCommitImpl;
import org.apache.paimon.table.sink.TableWriteImpl;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.utils.SerializationUtils;
import org.junit.Rule;
import org.junit.Test;
import org.paimonbridge.BridgeEntryPoint;
import org.paimonbridge.Warehouse;
import org.paimonbridge.json.Json;
import org.paimonbridge.release.PaimonRelease;

/** What writers are told of the buckets of tables that Paimon itself wrote. */
public class BucketStatesTest {

    private static final String NO_PARTITION = Hex.encode(SerializationUtils.serializeBinaryRow(BinaryRow.EMPTY_ROW));

    @Rule public final Warehouse warehouse = new Warehouse();

    private long identifier;

    @Test
    public void aTableWithoutSnapshotHasNoBuckets() {
        warehouse.primaryKey();
        JsonNode state = state(Warehouse.PRIMARY_KEY);
        assertTrue(state.get("snapshotId").isNull());
        assertEquals(0, state.get("buckets").size());
    }

    @Test
    public void sequenceNumbersOfFixedBucketsGrowAndSurviveCompaction() throws Exception {
        FileStoreTable table = warehouse.primaryKey();
        commit(table, 0, row(1, "a"), row(2, "b"), row(3, "c"));
        commit(table, 1, row(9, "z"));
        assertEquals("[[\"" + NO_PARTITION + "\",0,2,2,null],[\"" + NO_PARTITION + "\",1,2,0,null]]", buckets(Warehouse.PRIMARY_KEY));
        commit(table, 0, row(1, "d"));
        assertEquals(3, find(Warehouse.PRIMARY_KEY, NO_PARTITION, 0).get(3).asLong());
        try (TableWriteImpl<?> write = table.newWrite("u");
                IOManager spill = IOManager.create(warehouse.newFolder().getPath());
                TableCommitImpl commit = table.newCommit("u")) {
            write.withIOManager(spill);
            write.compact(BinaryRow.EMPTY_ROW, 0, true);
            commit.commit(++identifier, write.prepareCommit(true, identifier));
        }
        JsonNode state = state(Warehouse.PRIMARY_KEY);
        assertEquals(table.snapshotManager().latestSnapshotId().longValue(), state.get("snapshotId").asLong());
        assertEquals("[[\"" + NO_PARTITION + "\",0,2,3,null],[\"" + NO_PARTITION + "\",1,2,0,null]]", buckets(Warehouse.PRIMARY_KEY));
    }

    @Test
    public void dynamicBucketsNameTheirHashIndex() throws Exception {
        FileStoreTable table = warehouse.create("db.dynamic", keyed().primaryKey("id").option("bucket", "-1").build());
        commit(table, 0, row(1, "a"), row(2, "b"));
        commit(table, 1, row(3, "c"));
        JsonNode first = find("db.dynamic", NO_PARTITION, 0);
        assertEquals(-1, first.get(2).asInt());
        assertEquals(1, first.get(3).asLong());
        String index = first.get(4).asText();
        assertTrue(index, warehouse.files().contains("db.db/dynamic/index/" + index));
        commit(table, 0, row(5, "e"));
        JsonNode second = find("db.dynamic", NO_PARTITION, 0);
        assertEquals(2, second.get(3).asLong());
        assertTrue("a new index replaces the old one", !second.get(4).asText().equals(index));
        assertEquals(2, state("db.dynamic").get("buckets").size());
    }

    @Test
    public void severalPartitionsAreToldApartAndCanBeAskedForAlone() throws Exception {
        Schema schema = keyed().column("dt", DataTypes.STRING()).partitionKeys("dt").primaryKey("id", "dt").option("bucket", "2").build();
        FileStoreTable table = warehouse.create("db.parts", schema);
        commit(table, 0, row(1, "a", "x"), row(2, "b", "x"));
        commit(table, 1, row(3, "c", "y"));
        assertEquals(2, state("db.parts").get("buckets").size());
        assertEquals(1, find("db.parts", partition("x"), 0).get(3).asLong());
        JsonNode alone = state("db.parts", "partitions", Collections.singletonList(partition("y")));
        assertEquals(1, alone.get("buckets").size());
        assertEquals(partition("y"), alone.get("buckets").get(0).get(0).asText());
        List<String> absent = Arrays.asList(partition("x"), partition("elsewhere"));
        assertEquals(1, state("db.parts", "partitions", absent).get("buckets").size());
        assertEquals(0, state("db.parts", "partitions", Collections.emptyList()).get("buckets").size());
    }

    @Test
    public void aBucketCountThatThePartitionKeptIsTold() throws Exception {
        FileStoreTable table = warehouse.primaryKey();
        commit(table, 1, row(1, "a"));
        FileStoreTable rescaled = table.copy(table.schema().copy(Collections.singletonMap("bucket", "8")));
        assertEquals(8, rescaled.schema().numBuckets());
        JsonNode request = Json.parseObject("the request", "{}");
        List<?> buckets = (List<?>) BucketStates.read(rescaled, request).get("buckets");
        assertEquals(2, ((List<?>) buckets.get(0)).get(2));
    }

    @Test
    public void waitingRowsOfPostponeTablesAreNoBucket() throws Exception {
        assumeTrue("postpone tables exist since 1.2", PaimonRelease.messageVersion() >= 7 && !PaimonRelease.version().startsWith("1.1"));
        FileStoreTable table = warehouse.create("db.postpone", keyed().primaryKey("id").option("bucket", "-2").build());
        commit(table, -2, row(1, "a"));
        JsonNode state = state("db.postpone");
        assertEquals(1, state.get("snapshotId").asLong());
        assertEquals(0, state.get("buckets").size());
    }

    @Test
    public void partitionsThatAreNoneOfTheTableAreRefused() {
        warehouse.partitioned();
        for (String bad : Arrays.asList("zz", "0", "", "00000001", NO_PARTITION, "7fffffff" + partition("x").substring(8))) {
            JsonNode error = error(call(Warehouse.PARTITIONED, "partitions", Collections.singletonList(bad)));
            assertEquals(bad, "BAD_REQUEST", error.get("code").asText());
        }
    }

    @Test
    public void aTableThatIsNotThereIsNamed() {
        warehouse.append();
        assertEquals("TABLE_NOT_FOUND", error(call("db.nowhere")).get("code").asText());
    }

    private static Schema.Builder keyed() {
        return Schema.newBuilder().column("id", DataTypes.INT()).column("name", DataTypes.STRING());
    }

    private void commit(FileStoreTable table, int bucket, GenericRow... rows) throws Exception {
        try (TableWriteImpl<?> write = table.newWrite("u");
                IOManager spill = IOManager.create(warehouse.newFolder().getPath());
                TableCommitImpl commit = table.newCommit("u")) {
            write.withIOManager(spill);
            for (GenericRow row : rows) {
                write.write(row, bucket);
            }
            commit.commit(++identifier, write.prepareCommit(true, identifier));
        }
    }

    private static String partition(String value) {
        BinaryRow row = new BinaryRow(1);
        BinaryRowWriter writer = new BinaryRowWriter(row);
        writer.writeString(0, BinaryString.fromString(value));
        writer.complete();
        return Hex.encode(SerializationUtils.serializeBinaryRow(row));
    }

    private String buckets(String table) {
        Map<Integer, String> sorted = new TreeMap<>();
        state(table).get("buckets").forEach(bucket -> sorted.put(bucket.get(1).asInt(), bucket.toString()));
        return "[" + String.join(",", sorted.values()) + "]";
    }

    private JsonNode find(String table, String partition, int bucket) {
        for (JsonNode state : state(table).get("buckets")) {
            if (state.get(0).asText().equals(partition) && state.get(1).asInt() == bucket) {
                return state;
            }
        }
        throw new AssertionError("no bucket " + bucket);
    }

    private JsonNode state(String table, Object... more) {
        return value(call(table, more));
    }

    private String call(String table, Object... more) {
        Map<String, Object> request = new TreeMap<>();
        request.put("table", table);
        for (int i = 0; i < more.length; i += 2) {
            request.put((String) more[i], more[i + 1]);
        }
        return BridgeEntryPoint.bucketState(warehouse.optionsJson(), Json.write(request));
    }
}
