package org.paimonbridge.commit;

import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.table.FileStoreTable;
import org.paimonbridge.check.Level;
import org.paimonbridge.error.Errors;
import org.paimonbridge.json.Json;

/** What a call of check, commit or abort asks for. */
public final class CommitRequest {

    private final String table;
    private final String requestId;
    private final Level level;
    private final String commitUser;
    private final long identifier;
    private final boolean firstCommit;
    private final boolean rewritten;
    private final JsonNode overwrite;
    private final SnapshotNotes notes;

    private CommitRequest(JsonNode json) {
        this.table = Json.requireText("the request", json, "table");
        this.requestId = Json.text(json, "requestId", null);
        this.level = Level.parse(Json.text(json, "level", Level.FAST.text()));
        this.commitUser = Json.text(json, "commitUser", null);
        JsonNode number = json.path("identifier");
        if (!number.isMissingNode() && !number.isNull() && !number.isIntegralNumber()) {
            throw Errors.badRequest("the identifier is not a whole number");
        }
        this.identifier = number.isIntegralNumber() ? number.asLong() : 1;
        this.firstCommit = json.path("firstCommit").asBoolean(false);
        this.rewritten = json.path("rewritten").asBoolean(false);
        this.overwrite = json.path("overwrite");
        this.notes = SnapshotNotes.parse(json);
        if (identifier < 0 || identifier == Long.MAX_VALUE) {
            // Paimon's batch commits all use the maximum; after one, nothing else of that user would ever be committed.
            throw Errors.badRequest("the identifier " + identifier + " is negative or the one that Paimon keeps for batch jobs");
        }
    }

    public static CommitRequest parse(JsonNode json) {
        return new CommitRequest(json);
    }

    public String table() {
        return table;
    }

    /** The same for every sending of one call, or null. */
    public String requestId() {
        return requestId;
    }

    public Level level() {
        return level;
    }

    /** Null where the messages' own commit user is meant. */
    public String commitUser() {
        return commitUser;
    }

    public long identifier() {
        return identifier;
    }

    /** The caller vouches that nothing was committed under this identity, although the history that would show it has expired. */
    public boolean firstCommit() {
        return firstCommit;
    }

    /** These files may be a second writing of rows that are committed under this identity: then they are not wanted, and no error. */
    public boolean rewritten() {
        return rewritten;
    }

    /** What the commit replaces in this table; the request is checked against it. */
    Overwrite overwrite(FileStoreTable target) {
        return Overwrite.of(table, target, overwrite);
    }

    SnapshotNotes notes() {
        return notes;
    }
}
