package org.paimonbridge.commit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.paimonbridge.Warehouse.envelope;
import static org.paimonbridge.Warehouse.row;
import static org.paimonbridge.Warehouse.value;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.table.FileStoreTable;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.paimonbridge.BridgeEntryPoint;
import org.paimonbridge.MessageBytes;
import org.paimonbridge.Warehouse;
import org.paimonbridge.json.Json;

/** The dry run foretells what the commit then does, and changes nothing. */
public class ExplainTest {

    private static final Map<String, Object> DYNAMIC = Collections.singletonMap("mode", "dynamic");

    @Rule public final Warehouse warehouse = new Warehouse();

    private FileStoreTable table;

    @Before
    public void twoPartitions() throws Exception {
        table = warehouse.partitioned();
        byte[] seed = envelope(table, warehouse.write(table, row(1, "x", "a"), row(2, "y", "a"), row(3, "z", "b"))).commitUser("s").encode();
        value(BridgeEntryPoint.commit(warehouse.optionsJson(), request(), seed));
    }

    @Test
    public void everyOutcomeIsForetold() throws Exception {
        byte[] envelopes = envelope(table, warehouse.write(table, row(4, "n", "a"), row(5, "n", "c"))).commitUser("u").encode();
        Object[][] ways = {
            {null, "APPEND", 0L, 0L},
            {DYNAMIC, "OVERWRITE", 1L, 2L},
            {Collections.singletonMap("mode", "truncate"), "OVERWRITE", 2L, 3L}
        };
        for (Object[] way : ways) {
            JsonNode plan = explain(envelopes, "overwrite", way[0]);
            assertEquals("COMMITTED", plan.get("status").asText());
            assertEquals("[\"" + way[1] + "\"]", plan.get("kinds").toString());
            assertEquals(2, plan.get("filesAdded").asLong());
            assertEquals(2, plan.get("rowsAdded").asLong());
            assertEquals(way[2], plan.get("filesRemoved").asLong());
            assertEquals(way[3], plan.get("rowsRemoved").asLong());
            assertEquals(0, plan.get("obstacles").size());
        }
        assertEquals(Long.valueOf(1), table.snapshotManager().latestSnapshotId());
        JsonNode foretold = explain(envelopes, "overwrite", DYNAMIC);
        JsonNode done = value(BridgeEntryPoint.commit(warehouse.optionsJson(), request("overwrite", DYNAMIC), envelopes));
        assertEquals(foretold.get("filesRemoved"), done.get("filesRemoved"));
        assertEquals(foretold.get("rowsRemoved"), done.get("rowsRemoved"));
        JsonNode again = explain(envelopes, "overwrite", DYNAMIC);
        assertEquals("ALREADY_COMMITTED", again.get("status").asText());
        assertEquals(2, again.get("snapshotId").asLong());
        assertEquals(0, again.get("filesAdded").asLong());
        assertEquals("REFUSED", explain(envelopes).get("status").asText());
        assertEquals("COMMITTED_AS_ANOTHER_KIND", explain(envelopes).get("obstacles").get(0).get("code").asText());
    }

    @Test
    public void partitionsAreCountedOneByOne() throws Exception {
        byte[] envelopes = envelope(table, warehouse.write(table, row(4, "n", "a"), row(5, "n", "c"))).commitUser("u").encode();
        JsonNode plan = explain(envelopes, "overwrite", Collections.singletonMap("mode", "truncate"));
        assertEquals(3, plan.get("partitionCount").asInt());
        JsonNode first = plan.get("partitions").get(0);
        assertEquals("dt=a", first.get("partition").asText());
        assertEquals(1, first.get("rowsAdded").asLong());
        assertEquals(2, first.get("rowsRemoved").asLong());
    }

    @Test
    public void aStatedPartitionWithoutFilesShowsWhatWouldGo() throws Exception {
        Map<String, Object> overwrite = new TreeMap<>();
        overwrite.put("mode", "static");
        overwrite.put("partition", Collections.singletonMap("dt", "a"));
        JsonNode plan = explain(envelope(table).commitUser("u").encode(), "overwrite", overwrite);
        assertEquals("COMMITTED", plan.get("status").asText());
        assertEquals("dt=a", plan.get("overwrite").asText());
        assertEquals(2, plan.get("rowsRemoved").asLong());
        assertEquals("EMPTY", explain(envelope(table).commitUser("u").encode()).get("status").asText());
    }

    @Test
    public void allObstaclesAreNamedTogether() throws Exception {
        table.createTag("taken", 1);
        byte[] bad = new MessageBytes(warehouse.write(table, row(4, "n", "q")).get(0)).number(2, 1000).bytes();
        Map<String, Object> overwrite = new TreeMap<>();
        overwrite.put("mode", "static");
        overwrite.put("partition", Collections.singletonMap("dt", "a"));
        JsonNode plan = explain(envelope(table, bad).commitUser("u").encode(), "overwrite", overwrite, "tag", "taken");
        assertEquals("REFUSED", plan.get("status").asText());
        assertEquals("TAG_EXISTS", plan.get("obstacles").get(0).get("code").asText());
        assertEquals("ROWS_OUTSIDE_OVERWRITE", plan.get("obstacles").get(1).get("code").asText());
        assertTrue(plan.get("report").get("findings").size() > 0);
    }

    @Test
    public void anIdentifierThatWentBackIsForetold() throws Exception {
        byte[] first = envelope(table, warehouse.write(table, row(4, "n", "a"))).commitUser("u").encode();
        value(BridgeEntryPoint.commit(warehouse.optionsJson(), request("identifier", 7), first));
        byte[] next = envelope(table, warehouse.write(table, row(5, "n", "a"))).commitUser("u").encode();
        assertEquals("IDENTIFIER_WENT_BACK", explain(next, "identifier", 3).get("obstacles").get(0).get("code").asText());
        assertEquals("IDENTIFIER_TAKEN", explain(next, "identifier", 7).get("obstacles").get(0).get("code").asText());
        assertEquals("COMMITTED", explain(next, "identifier", 8).get("status").asText());
    }

    private JsonNode explain(byte[] envelopes, Object... more) {
        return value(BridgeEntryPoint.explainCommit(warehouse.optionsJson(), request(more), envelopes));
    }

    private static String request(Object... more) {
        Map<String, Object> request = new TreeMap<>();
        request.put("table", Warehouse.PARTITIONED);
        for (int i = 0; i < more.length; i += 2) {
            request.put((String) more[i], more[i + 1]);
        }
        return Json.write(request);
    }
}
