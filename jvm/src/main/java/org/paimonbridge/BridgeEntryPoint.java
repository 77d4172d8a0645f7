package org.paimonbridge;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;

import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.table.FileStoreTable;
import org.paimonbridge.commit.Aborter;
import org.paimonbridge.commit.CommitExplainer;
import org.paimonbridge.commit.CommitRequest;
import org.paimonbridge.commit.RequestMemo;
import org.paimonbridge.commit.TableCommitter;
import org.paimonbridge.envelope.Envelope;
import org.paimonbridge.envelope.EnvelopeReader;
import org.paimonbridge.envelope.Handover;
import org.paimonbridge.json.Json;
import org.paimonbridge.read.TableReader;
import org.paimonbridge.release.PaimonRelease;
import org.paimonbridge.table.BucketStates;
import org.paimonbridge.table.SchemaJson;
import org.paimonbridge.table.TableDescriber;
import org.paimonbridge.table.Tables;

/**
 * The one class that Python names. Static methods without overloads; texts, flags and bytes in, one JSON text out:
 * {@code {"ok":true,"value":…}} or {@code {"ok":false,"error":…}}. Nothing is ever thrown across the gateway.
 */
public final class BridgeEntryPoint {

    private static final RequestMemo MEMO = new RequestMemo();

    private BridgeEntryPoint() {}

    /** What serves here: versions of the shim, of Paimon and of Java, and every copy of Paimon on the class path. */
    public static String info() {
        return Answer.of(
                "{}",
                options -> {
                    Map<String, Object> info = new LinkedHashMap<>();
                    info.put("shimVersion", ShimVersion.get());
                    info.put("paimonRelease", PaimonRelease.version());
                    info.put("paimonSource", PaimonRelease.source());
                    info.put("paimonCopies", PaimonRelease.copies());
                    info.put("messageVersion", PaimonRelease.messageVersion());
                    info.put("committableVersion", PaimonRelease.committableVersion());
                    info.put("javaVersion", System.getProperty("java.version"));
                    info.put("zoneId", TimeZone.getDefault().getID());
                    return info;
                });
    }

    public static String createTable(String catalogOptionsJson, String table, String schemaJson, boolean ifNotExists) {
        return Answer.of(
                catalogOptionsJson,
                options -> {
                    try (Tables tables = Tables.open(options)) {
                        boolean created = tables.create(table, SchemaJson.parse(table, schemaJson), ifNotExists);
                        Map<String, Object> description = TableDescriber.describe(table, tables.load(table));
                        description.put("created", created);
                        return description;
                    }
                });
    }

    public static String describe(String catalogOptionsJson, String table) {
        return Answer.of(
                catalogOptionsJson,
                options -> {
                    try (Tables tables = Tables.open(options)) {
                        return TableDescriber.describe(table, tables.load(table));
                    }
                });
    }

    /** What the live buckets hold, for writers that continue them: see {@link BucketStates}. */
    public static String bucketState(String catalogOptionsJson, String requestJson) {
        return Answer.of(
                catalogOptionsJson,
                options -> {
                    JsonNode json = Json.parseObject("the request", requestJson);
                    try (Tables tables = Tables.open(options)) {
                        return BucketStates.read(tables.load(Json.requireText("the request", json, "table")), json);
                    }
                });
    }

    /** The gate alone: a report, and nothing changes. */
    public static String check(String catalogOptionsJson, String requestJson, byte[] envelopes) {
        return Answer.of(
                catalogOptionsJson,
                options -> {
                    JsonNode json = Json.parseObject("the request", requestJson);
                    CommitRequest request = CommitRequest.parse(json);
                    List<Envelope> read = EnvelopeReader.readAll(Handover.bytes(json, envelopes));
                    try (Tables tables = Tables.open(options)) {
                        return TableCommitter.check(tables.load(request.table()), request, read).toMap();
                    }
                });
    }

    /** A dry run of the commit: what it would do, and what would keep it from happening. Nothing changes. */
    public static String explainCommit(String catalogOptionsJson, String requestJson, byte[] envelopes) {
        return Answer.of(
                catalogOptionsJson,
                options -> {
                    JsonNode json = Json.parseObject("the request", requestJson);
                    CommitRequest request = CommitRequest.parse(json);
                    List<Envelope> read = EnvelopeReader.readAll(Handover.bytes(json, envelopes));
                    try (Tables tables = Tables.open(options)) {
                        return CommitExplainer.explain(tables.load(request.table()), request, read);
                    }
                });
    }

    /** The gate, then one snapshot. Idempotent by commit user and identifier; a repeated request id gets the first answer. */
    public static String commit(String catalogOptionsJson, String requestJson, byte[] envelopes) {
        return MEMO.answer(
                memoKey("commit", requestJson),
                () ->
                        Answer.of(
                                catalogOptionsJson,
                                options -> {
                                    long start = System.nanoTime();
                                    JsonNode json = Json.parseObject("the request", requestJson);
                                    CommitRequest request = CommitRequest.parse(json);
                                    List<Envelope> read = EnvelopeReader.readAll(Handover.bytes(json, envelopes));
                                    long decode = (System.nanoTime() - start) / 1_000_000;
                                    try (Tables tables = Tables.open(options)) {
                                        FileStoreTable table = tables.load(request.table());
                                        return new TableCommitter(table, request, read, decode).commit().toMap();
                                    }
                                }));
    }

    /** Deletes the files of messages that were not committed; what is in use, or not certain, is kept and named. */
    public static String abort(String catalogOptionsJson, String requestJson, byte[] envelopes) {
        return MEMO.answer(
                memoKey("abort", requestJson),
                () ->
                        Answer.of(
                                catalogOptionsJson,
                                options -> {
                                    JsonNode json = Json.parseObject("the request", requestJson);
                                    CommitRequest request = CommitRequest.parse(json);
                                    List<Envelope> read = EnvelopeReader.readAll(Handover.bytes(json, envelopes));
                                    try (Tables tables = Tables.open(options)) {
                                        return Aborter.abort(tables.load(request.table()), request, read);
                                    }
                                }));
    }

    /** Reads with Paimon's reader; the rows go to Parquet files in a folder of the driver. */
    public static String read(String catalogOptionsJson, String requestJson, String outputFolder) {
        return Answer.of(
                catalogOptionsJson,
                options -> {
                    JsonNode json = Json.parseObject("the request", requestJson);
                    String name = Json.requireText("the request", json, "table");
                    try (Tables tables = Tables.open(options)) {
                        return TableReader.read(name, tables.load(name), json, outputFolder);
                    }
                });
    }

    private static String memoKey(String operation, String requestJson) {
        String id = Answer.requestId(requestJson);
        return id == null ? null : operation + " " + id;
    }
}
