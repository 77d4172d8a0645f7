package org.paimonbridge.envelope;

import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** What one writer task handed over: who it is, which table it wrote for, and its messages as plain Java bytes. */
public final class Envelope {

    private final boolean foreign;
    private final int messageVersion;
    private final String tableId;
    private final String table;
    private final long schemaId;
    private final String commitUser;
    private final String runId;
    private final int task;
    private final long attempt;
    private final List<byte[]> payloads;

    Envelope(
            boolean foreign,
            int messageVersion,
            String tableId,
            String table,
            long schemaId,
            String commitUser,
            String runId,
            int task,
            long attempt,
            List<byte[]> payloads) {
        this.foreign = foreign;
        this.messageVersion = messageVersion;
        this.tableId = Objects.requireNonNull(tableId);
        this.table = Objects.requireNonNull(table);
        this.schemaId = schemaId;
        this.commitUser = Objects.requireNonNull(commitUser);
        this.runId = Objects.requireNonNull(runId);
        this.task = task;
        this.attempt = attempt;
        this.payloads = Collections.unmodifiableList(payloads);
    }

    /** Bytes of another writer, wrapped on the driver: there is no task and no run behind them. */
    public boolean foreign() {
        return foreign;
    }

    public int messageVersion() {
        return messageVersion;
    }

    public String tableId() {
        return tableId;
    }

    public String table() {
        return table;
    }

    public long schemaId() {
        return schemaId;
    }

    public String commitUser() {
        return commitUser;
    }

    /** Identity of one {@code bridge.write} call; empty for foreign bytes. */
    public String runId() {
        return runId;
    }

    /** Spark partition index, or -1. */
    public int task() {
        return task;
    }

    /** Spark task attempt, or -1. */
    public long attempt() {
        return attempt;
    }

    public List<byte[]> payloads() {
        return payloads;
    }
}
