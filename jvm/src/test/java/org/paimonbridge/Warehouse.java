package org.paimonbridge;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageSerializer;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataTypes;
import org.junit.rules.TemporaryFolder;
import org.paimonbridge.json.Json;
import org.paimonbridge.release.PaimonRelease;
import org.paimonbridge.table.Tables;

/** A warehouse in a temporary folder, with tables that Paimon itself writes. The messages under test are real. */
public final class Warehouse extends TemporaryFolder {

    public static final String APPEND = "db.append";
    public static final String PARTITIONED = "db.partitioned";
    public static final String PRIMARY_KEY = "db.primary_key";

    public Map<String, String> options() {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("warehouse", "file:" + getRoot());
        return options;
    }

    public String optionsJson() {
        return Json.write(options());
    }

    /** {@code id INT, name STRING}, no buckets. */
    public FileStoreTable append(String... options) {
        return create(APPEND, schema(options).build());
    }

    /** The same with {@code dt STRING}, partitioned by it. */
    public FileStoreTable partitioned(String... options) {
        return create(PARTITIONED, schema(options).column("dt", DataTypes.STRING()).partitionKeys("dt").build());
    }

    /** The same with the primary key {@code id} in two buckets. */
    public FileStoreTable primaryKey(String... options) {
        String[] all = Arrays.copyOf(options, options.length + 2);
        all[options.length] = "bucket";
        all[options.length + 1] = "2";
        return create(PRIMARY_KEY, schema(all).primaryKey("id").build());
    }

    private static Schema.Builder schema(String... options) {
        Schema.Builder builder = Schema.newBuilder().column("id", DataTypes.INT()).column("name", DataTypes.STRING());
        for (int i = 0; i < options.length; i += 2) {
            builder.option(options[i], options[i + 1]);
        }
        return builder;
    }

    public FileStoreTable create(String name, Schema schema) {
        try (Tables tables = Tables.open(options())) {
            tables.create(name, schema, false);
        }
        return load(name);
    }

    public FileStoreTable load(String name) {
        try (Tables tables = Tables.open(options())) {
            return tables.load(name);
        }
    }

    /** Lets Paimon write rows and answers the messages, uncommitted. */
    public List<byte[]> write(FileStoreTable table, GenericRow... rows) throws Exception {
        return write(table.newBatchWriteBuilder(), rows);
    }

    /** The same for a commit that will replace what is there. */
    public List<byte[]> overwrite(FileStoreTable table, GenericRow... rows) throws Exception {
        return write(table.newBatchWriteBuilder().withOverwrite(), rows);
    }

    private List<byte[]> write(BatchWriteBuilder builder, GenericRow... rows) throws Exception {
        CommitMessageSerializer serializer = new CommitMessageSerializer();
        List<byte[]> messages = new ArrayList<>();
        try (BatchTableWrite write = builder.newWrite();
                IOManager spill = IOManager.create(newFolder().getPath())) {
            write.withIOManager(spill);
            for (GenericRow row : rows) {
                write.write(row);
            }
            for (CommitMessage message : write.prepareCommit()) {
                messages.add(serializer.serialize(message));
            }
        }
        return messages;
    }

    public static GenericRow row(int id, String... texts) {
        GenericRow row = new GenericRow(1 + texts.length);
        row.setField(0, id);
        for (int i = 0; i < texts.length; i++) {
            row.setField(1 + i, BinaryString.fromString(texts[i]));
        }
        return row;
    }

    /** An envelope as the bridge's own writers make it. */
    public static EnvelopeBytes envelope(FileStoreTable table, List<byte[]> messages) {
        return new EnvelopeBytes()
                .table(table.uuid(), table.fullName())
                .schemaId(table.schema().id())
                .version(PaimonRelease.messageVersion())
                .messages(messages);
    }

    public static EnvelopeBytes envelope(FileStoreTable table, byte[]... messages) {
        return envelope(table, Arrays.asList(messages));
    }

    /** All rows as Paimon reads them, sorted, one text each. */
    public List<String> rows(FileStoreTable table) throws Exception {
        List<String> rows = new ArrayList<>();
        ReadBuilder read = table.newReadBuilder();
        read.newRead()
                .createReader(read.newScan().plan())
                .forEachRemaining(
                        row -> {
                            StringBuilder text = new StringBuilder(row.isNullAt(0) ? "null" : String.valueOf(row.getInt(0)));
                            for (int i = 1; i < table.rowType().getFieldCount(); i++) {
                                text.append(' ').append(row.isNullAt(i) ? "null" : row.getString(i).toString());
                            }
                            rows.add(text.toString());
                        });
        Collections.sort(rows);
        return rows;
    }

    /** The value of a good answer; a bad one fails the test with its text. */
    public static JsonNode value(String answer) {
        JsonNode json = Json.parseObject("the answer", answer);
        if (!json.get("ok").asBoolean()) {
            throw new AssertionError(answer);
        }
        return json.get("value");
    }

    public static JsonNode error(String answer) {
        JsonNode json = Json.parseObject("the answer", answer);
        if (json.get("ok").asBoolean()) {
            throw new AssertionError("no error: " + answer);
        }
        return json.get("error");
    }

    /** Every file below the warehouse, as paths relative to it. */
    public List<String> files() {
        List<String> files = new ArrayList<>();
        list(getRoot(), "", files);
        Collections.sort(files);
        return files;
    }

    private static void list(File folder, String prefix, List<String> files) {
        for (File file : folder.listFiles()) {
            if (file.isDirectory()) {
                list(file, prefix + file.getName() + "/", files);
            } else {
                files.add(prefix + file.getName());
            }
        }
    }
}
