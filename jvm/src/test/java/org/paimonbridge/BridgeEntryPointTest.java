package org.paimonbridge;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;
import static org.paimonbridge.Warehouse.envelope;
import static org.paimonbridge.Warehouse.error;
import static org.paimonbridge.Warehouse.row;
import static org.paimonbridge.Warehouse.value;

import java.io.File;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.table.FileStoreTable;
import org.junit.Rule;
import org.junit.Test;
import org.paimonbridge.envelope.EnvelopeReader;

/** The face that Python sees. */
public class BridgeEntryPointTest {

    private static final String SCHEMA =
            "{\"fields\":[{\"name\":\"id\",\"type\":\"BIGINT NOT NULL\",\"description\":\"the key\"},"
                    + "{\"name\":\"dt\",\"type\":\"STRING\"},"
                    + "{\"name\":\"at\",\"type\":\"TIMESTAMP(6) WITH LOCAL TIME ZONE\"},"
                    + "{\"name\":\"r\",\"type\":{\"type\":\"ROW\",\"fields\":[{\"name\":\"x\",\"type\":\"DECIMAL(20, 2)\"},"
                    + "{\"name\":\"l\",\"type\":{\"type\":\"ARRAY\",\"element\":\"INT\"}}]}}],"
                    + "\"partitionKeys\":[\"dt\"],\"primaryKeys\":[\"id\",\"dt\"],"
                    + "\"options\":{\"bucket\":\"4\"},\"comment\":\"orders\"}";

    @Rule public final Warehouse warehouse = new Warehouse();

    @Test
    public void infoNamesWhatServes() {
        JsonNode info = value(BridgeEntryPoint.info());
        assertTrue(info.get("shimVersion").asText().matches("\\d+\\.\\d+\\.\\d+"));
        assertEquals(System.getProperty("paimonbridge.testedRelease"), info.get("paimonRelease").asText());
        assertTrue(info.get("paimonSource").asText().endsWith(".jar"));
        assertEquals(1, info.get("paimonCopies").size());
        assertEquals(info.get("paimonSource"), info.get("paimonCopies").get(0));
        assertTrue(info.get("messageVersion").asInt() >= 6);
        assertTrue(info.get("committableVersion").asInt() >= 3);
        assertEquals(System.getProperty("java.version"), info.get("javaVersion").asText());
        assertEquals("UTC", info.get("zoneId").asText());
    }

    @Test
    public void aSecondCopyOfPaimonIsSeen() throws Exception {
        String jar = value(BridgeEntryPoint.info()).get("paimonSource").asText().substring("file:".length());
        File copy = new File(warehouse.getRoot(), "another-paimon.jar");
        Files.copy(new File(jar).toPath(), copy.toPath());
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (java.net.URLClassLoader loader = new java.net.URLClassLoader(new java.net.URL[] {copy.toURI().toURL()}, before)) {
            Thread.currentThread().setContextClassLoader(loader);
            assertEquals(2, value(BridgeEntryPoint.info()).get("paimonCopies").size());
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Test
    public void aTableIsMadeAndDescribed() {
        JsonNode made = value(BridgeEntryPoint.createTable(warehouse.optionsJson(), "shop.orders", SCHEMA, false));
        assertTrue(made.get("created").asBoolean());
        JsonNode described = value(BridgeEntryPoint.describe(warehouse.optionsJson(), "shop.orders"));
        assertEquals("shop.orders", described.get("name").asText());
        assertTrue(described.get("path").asText().endsWith("shop.db/orders"));
        assertEquals(made.get("tableId"), described.get("tableId"));
        assertEquals(0, described.get("schemaId").asLong());
        assertEquals("[\"dt\"]", described.get("partitionKeys").toString());
        assertEquals("[\"id\",\"dt\"]", described.get("primaryKeys").toString());
        assertEquals("4", described.get("options").get("bucket").asText());
        assertEquals("HASH_FIXED", described.get("bucketMode").asText());
        assertEquals("orders", described.get("comment").asText());
        assertTrue(described.get("latestSnapshotId").isNull());
        JsonNode fields = described.get("fields");
        assertEquals("{\"id\":0,\"name\":\"id\",\"type\":\"BIGINT NOT NULL\",\"description\":\"the key\"}", fields.get(0).toString());
        assertEquals("TIMESTAMP(6) WITH LOCAL TIME ZONE", fields.get(2).get("type").asText());
        // Paimon numbers nested fields after their column.
        assertEquals(4, fields.get(3).get("type").get("fields").get(0).get("id").asInt());
        assertEquals(value(BridgeEntryPoint.info()).get("messageVersion"), described.get("messageVersion"));
    }

    @Test
    public void anExistingTableIsAnErrorUnlessAllowed() {
        value(BridgeEntryPoint.createTable(warehouse.optionsJson(), "shop.orders", SCHEMA, false));
        String other = "{\"fields\":[{\"name\":\"a\",\"type\":\"INT\"}]}";
        JsonNode error = error(BridgeEntryPoint.createTable(warehouse.optionsJson(), "shop.orders", other, false));
        assertEquals("TABLE_EXISTS", error.get("code").asText());
        JsonNode kept = value(BridgeEntryPoint.createTable(warehouse.optionsJson(), "shop.orders", other, true));
        assertFalse(kept.get("created").asBoolean());
        assertEquals(4, kept.get("fields").size());
    }

    @Test
    public void aTableMadeAgainHasAnotherIdentity() throws Exception {
        JsonNode first = value(BridgeEntryPoint.createTable(warehouse.optionsJson(), "db.t", SCHEMA, false));
        org.apache.paimon.fs.local.LocalFileIO.create().delete(new org.apache.paimon.fs.Path(first.get("path").asText()), true);
        Thread.sleep(5);
        JsonNode second = value(BridgeEntryPoint.createTable(warehouse.optionsJson(), "db.t", SCHEMA, false));
        assertNotEquals(first.get("tableId").asText(), second.get("tableId").asText());
    }

    @Test
    public void absentTablesAndBadNamesAreTypedErrors() {
        value(BridgeEntryPoint.createTable(warehouse.optionsJson(), "db.t", SCHEMA, false));
        assertEquals("TABLE_NOT_FOUND", code(BridgeEntryPoint.describe(warehouse.optionsJson(), "db.none")));
        assertEquals("DATABASE_NOT_FOUND", code(BridgeEntryPoint.describe(warehouse.optionsJson(), "none.t")));
        for (String name : new String[] {"t", ".t", "db.", ""}) {
            assertEquals(name, "TABLE_NAME_INVALID", code(BridgeEntryPoint.describe(warehouse.optionsJson(), name)));
        }
        assertEquals("TABLE_KIND_UNSUPPORTED", code(BridgeEntryPoint.describe(warehouse.optionsJson(), "db.t$snapshots")));
        JsonNode error = error(BridgeEntryPoint.describe(warehouse.optionsJson(), "db.none"));
        assertEquals("TABLE", error.get("kind").asText());
        assertTrue(error.get("cause").asText().contains("TableNotExistException"));
        assertTrue(error.get("stackTrace").asText().contains("org.paimonbridge"));
    }

    @Test
    public void schemasThatPaimonRefusesSayWhy() {
        JsonNode error =
                error(
                        BridgeEntryPoint.createTable(
                                warehouse.optionsJson(),
                                "db.t",
                                "{\"fields\":[{\"name\":\"a\",\"type\":\"INT\"}],\"primaryKeys\":[\"nope\"]}",
                                false));
        assertEquals("SCHEMA_INVALID", error.get("code").asText());
        assertTrue(error.get("message").asText(), error.get("message").asText().contains("nope"));
        assertEquals(
                "SCHEMA_INVALID",
                code(
                        BridgeEntryPoint.createTable(
                                warehouse.optionsJson(), "db.t", "{\"fields\":[{\"name\":\"a\",\"type\":\"FOO\"}]}", false)));
        String noBucketKey = "{\"fields\":[{\"name\":\"a\",\"type\":\"INT\"}],\"options\":{\"bucket\":\"2\"}}";
        assertEquals("SCHEMA_INVALID", code(BridgeEntryPoint.createTable(warehouse.optionsJson(), "db.t", noBucketKey, false)));
        assertEquals("BAD_REQUEST", code(BridgeEntryPoint.createTable(warehouse.optionsJson(), "db.t", "not json", false)));
    }

    @Test
    public void tablesWithoutSnapshotsAreNotMade() {
        for (String type : new String[] {"format-table", "object-table", "lance-table", "iceberg-table"}) {
            String schema = "{\"fields\":[{\"name\":\"a\",\"type\":\"INT\"}],\"options\":{\"type\":\"" + type + "\"}}";
            assertEquals(
                    type, "TABLE_KIND_UNSUPPORTED", code(BridgeEntryPoint.createTable(warehouse.optionsJson(), "db.t", schema, false)));
        }
        assertTrue(warehouse.files().isEmpty());
    }

    @Test
    public void aWarehouseThatCannotBeWrittenSaysSo() throws Exception {
        String inAFile = "{\"warehouse\":\"file:" + warehouse.newFile() + "/below\"}";
        JsonNode error = error(BridgeEntryPoint.createTable(inAFile, "db.t", SCHEMA, false));
        assertEquals("TABLE", error.get("kind").asText());
        assertEquals("CATALOG_UNAVAILABLE", error.get("code").asText());
    }

    @Test
    public void checkReportsAndChangesNothing() throws Exception {
        FileStoreTable table = warehouse.append();
        List<byte[]> messages = warehouse.write(table, row(1, "x"));
        List<String> before = warehouse.files();
        String request = "{\"table\":\"db.append\",\"level\":\"full\"}";
        JsonNode report = value(BridgeEntryPoint.check(warehouse.optionsJson(), request, envelope(table, messages).encode()));
        assertEquals("db.append", report.get("table").asText());
        assertEquals("full", report.get("level").asText());
        assertEquals(1, report.get("messages").asInt());
        assertEquals(1, report.get("files").asInt());
        assertEquals(1, report.get("rows").asInt());
        assertEquals(0, report.get("findings").size());
        assertEquals(org.paimonbridge.check.Rule.values().length, report.get("rules").size());
        JsonNode rule = report.get("rules").get(0);
        assertEquals("MESSAGE_VERSION", rule.get("id").asText());
        assertEquals(1, rule.get("checked").asInt());
        assertEquals(0, rule.get("findings").asInt());
        assertEquals(before, warehouse.files());
        String unknown = "{\"table\":\"db.append\",\"level\":\"x\"}";
        assertEquals("BAD_REQUEST", code(BridgeEntryPoint.check(warehouse.optionsJson(), unknown, null)));
    }

    @Test
    public void envelopesMayComeInAFileThatIsWhatItShouldBe() throws Exception {
        FileStoreTable table = warehouse.append();
        byte[] envelopes = envelope(table, warehouse.write(table, row(1, "x"))).encode();
        File file = warehouse.newFile();
        Files.write(file.toPath(), envelopes);
        String handover = "{\"table\":\"db.append\",\"handover\":{\"path\":\"%s\",\"length\":%d}}";
        String good = String.format(handover, file, envelopes.length);
        assertEquals(1, value(BridgeEntryPoint.check(warehouse.optionsJson(), good, new byte[0])).get("rows").asInt());
        for (String bad :
                new String[] {
                    String.format(handover, file, envelopes.length + 1),
                    String.format(handover, file + ".none", envelopes.length)
                }) {
            assertEquals(bad, "HANDOVER_UNREADABLE", code(BridgeEntryPoint.check(warehouse.optionsJson(), bad, new byte[0])));
        }
        File link = new File(warehouse.getRoot(), "link");
        Files.createSymbolicLink(link.toPath(), file.toPath());
        String linked = String.format(handover, link, envelopes.length);
        assertEquals("HANDOVER_UNREADABLE", code(BridgeEntryPoint.check(warehouse.optionsJson(), linked, new byte[0])));
    }

    @Test
    public void secretsOfTheCatalogDoNotCrossTheGateway() {
        String options =
                "{\"warehouse\":\"nowhere://canary-secret/x\",\"fs.s3.access-key\":\"canary-secret\",\"token\":\"ca\\\"nary\"}";
        String answer = BridgeEntryPoint.describe(options, "db.t");
        assertFalse(answer, answer.contains("canary-secret"));
        assertEquals("CATALOG_UNAVAILABLE", code(answer));
    }

    @Test
    public void nothingIsThrownWhateverComesIn() {
        assertEquals("BAD_REQUEST", code(BridgeEntryPoint.describe("[]", "db.t")));
        assertEquals("BAD_REQUEST", code(BridgeEntryPoint.describe("", "db.t")));
        assertEquals("INTERNAL", code(BridgeEntryPoint.describe(null, "db.t")));
        assertEquals("BAD_REQUEST", code(BridgeEntryPoint.commit(warehouse.optionsJson(), "{}", null)));
        assertEquals("ENVELOPE_MALFORMED", code(BridgeEntryPoint.commit(warehouse.optionsJson(), "{\"table\":\"db.t\"}", new byte[3])));
    }

    @Test
    public void methodsAreStaticWithoutOverloadsAndAnswerText() {
        Set<String> names = new HashSet<>();
        for (Method method : BridgeEntryPoint.class.getDeclaredMethods()) {
            if (Modifier.isPublic(method.getModifiers())) {
                assertTrue(method.toString(), Modifier.isStatic(method.getModifiers()));
                assertEquals(method.toString(), String.class, method.getReturnType());
                assertTrue(method.toString(), names.add(method.getName()));
            }
        }
        // The names are what Python calls: one that goes missing breaks it, one that appears must be meant.
        assertEquals(
                "[abort, bucketState, check, commit, createTable, describe, explainCommit, info, read]", new TreeSet<>(names).toString());
    }

    private static String code(String answer) {
        return error(answer).get("code").asText();
    }
}
