package org.paimonbridge.error;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Every error of the shim. Codes are stable; the sentences say what happened, where, and what to do. */
public final class Errors {

    private static final String LOOK_FIRST =
            "Delete nothing and do not write the rows again. Commit the same messages again under the same commit user and identifier: "
                    + "the answer is COMMITTED or ALREADY_COMMITTED, and the rows are in the table once.";

    private Errors() {}

    // ---- the call itself

    public static BridgeException badRequest(String message) {
        return error(ErrorKind.SHIM, "BAD_REQUEST", message, "", "This is a call that paimon_bridge would not make; check its version.");
    }

    public static BridgeException handover(String problem, Throwable cause) {
        return new Builder(ErrorKind.SHIM, "HANDOVER_UNREADABLE", "The hand-over file " + problem + ".")
                .remedy("Commit again; keep the driver's temporary folder free of clean-up jobs while Spark runs.")
                .cause(cause)
                .build();
    }

    public static BridgeException catalog(Throwable cause) {
        return new Builder(ErrorKind.TABLE, "CATALOG_UNAVAILABLE", "The catalog cannot be used: " + firstLine(cause))
                .remedy("Check the catalog options, and that the driver may read and write the warehouse.")
                .cause(cause)
                .build();
    }

    // ---- tables

    public static BridgeException badTableName(String table) {
        return error(
                ErrorKind.TABLE, "TABLE_NAME_INVALID", "\"" + table + "\" is not a table name.", "", "Name it as database.table.");
    }

    public static BridgeException tableNotFound(String table, Throwable cause) {
        return new Builder(ErrorKind.TABLE, "TABLE_NOT_FOUND", "There is no table " + table + ".")
                .remedy("Check the name and the warehouse, or create the table first.")
                .cause(cause)
                .build();
    }

    public static BridgeException databaseNotFound(String database, Throwable cause) {
        return new Builder(ErrorKind.TABLE, "DATABASE_NOT_FOUND", "There is no database " + database + ".")
                .remedy("Check the name and the warehouse, or create a table in it, which creates the database too.")
                .cause(cause)
                .build();
    }

    public static BridgeException tableExists(String table) {
        return error(
                ErrorKind.TABLE,
                "TABLE_EXISTS",
                "The table " + table + " exists already.",
                "",
                "Take another name, or allow it with if_not_exists.");
    }

    public static BridgeException tableKind(String table, String kind) {
        return error(
                ErrorKind.TABLE,
                "TABLE_KIND_UNSUPPORTED",
                table + " is " + kind + ", which has no Paimon snapshots to commit to.",
                "",
                "Use a table that Paimon itself stores.");
    }

    public static BridgeException badSchema(String table, Throwable cause) {
        return new Builder(ErrorKind.TABLE, "SCHEMA_INVALID", "Paimon refuses the schema of " + table + ": " + firstLine(cause))
                .remedy("Change the columns, keys or options that the text names.")
                .cause(cause)
                .build();
    }

    public static BridgeException snapshotNotFound(String table, long snapshot, Throwable cause) {
        return new Builder(ErrorKind.TABLE, "SNAPSHOT_NOT_FOUND", "The table " + table + " has no snapshot " + snapshot + ".")
                .remedy("Take a snapshot that has not expired.")
                .cause(cause)
                .build();
    }

    public static BridgeException columnNotFound(String table, String column) {
        return error(
                ErrorKind.TABLE, "COLUMN_NOT_FOUND", "The table " + table + " has no column " + column + ".", "", "Check the name.");
    }

    public static BridgeException readFailed(String table, Throwable cause) {
        return new Builder(ErrorKind.TABLE, "READ_FAILED", "Paimon's reader fails on " + table + ": " + firstLine(cause))
                .remedy("The table, or this release of Paimon, cannot be read as it is; the stack trace names the file or value.")
                .cause(cause)
                .build();
    }

    // ---- bytes

    public static BridgeException envelope(String problem, int envelope, int offset) {
        return new Builder(ErrorKind.CODEC, "ENVELOPE_MALFORMED", "Envelope " + (envelope + 1) + " " + problem + ".")
                .where("byte " + offset)
                .remedy("Hand over the bytes as Messages.to_bytes() or save() wrote them.")
                .detail("offset", offset)
                .build();
    }

    public static BridgeException envelopesDisagree(String what, Object first, Object other, int envelope) {
        return error(
                ErrorKind.CODEC,
                "ENVELOPES_DISAGREE",
                "Envelopes of one call have different values for " + what + ": " + first + " and " + other + ".",
                "envelope " + (envelope + 1),
                "Commit the messages of each write in a call of their own.");
    }

    // ---- commit

    public static BridgeException refused(String table, int findings, Map<String, Object> report) {
        return new Builder(
                        ErrorKind.CONFORMANCE,
                        "MESSAGES_REFUSED",
                        "Nothing was committed to " + table + ": the gate has " + findings + (findings == 1 ? " finding." : " findings."))
                .remedy("Read the report: each finding says what is wrong, where, and what to do. The table is untouched.")
                .detail("report", report)
                .build();
    }

    public static BridgeException noCommitUser() {
        return error(
                ErrorKind.SHIM,
                "COMMIT_USER_MISSING",
                "Neither the messages nor the call name a commit user.",
                "",
                "Give commit_user and identifier: together they make a repeated commit harmless.");
    }

    public static BridgeException identifierWentBack(String table, String user, long identifier, long latest) {
        return new Builder(
                        ErrorKind.COMMIT,
                        "IDENTIFIER_WENT_BACK",
                        "Nothing was committed to " + table + ": commit user " + user + " has already committed identifier " + latest
                                + ", and " + identifier + " was never committed before it.")
                .where(identity(user, identifier))
                .remedy("Use increasing identifiers under one commit user. After a lost checkpoint, use a new commit user.")
                .detail("latestIdentifier", latest)
                .build();
    }

    public static BridgeException identifierTaken(String table, String user, long identifier, long snapshot) {
        return new Builder(
                        ErrorKind.CONFLICT,
                        "IDENTIFIER_TAKEN",
                        "Nothing was committed to " + table + ": snapshot " + snapshot + " has this commit user and identifier, "
                                + "but not these files.")
                .where(identity(user, identifier))
                .remedy("Use another identifier. If these rows are a second writing of what that snapshot holds, abort these messages.")
                .detail("snapshotId", snapshot)
                .build();
    }

    public static BridgeException historyExpired(String table, String user, long identifier, long earliest) {
        return new Builder(
                        ErrorKind.UNKNOWN,
                        "COMMIT_HISTORY_EXPIRED",
                        "It cannot be told whether this was committed to " + table + " before: no snapshot of the commit user is left, "
                                + "and snapshots before " + earliest + " have expired.")
                .where(identity(user, identifier))
                .remedy("Look for the rows in the table. If they are not there, commit with first_commit set, or under a new commit user.")
                .detail("earliestSnapshotId", earliest)
                .build();
    }

    public static BridgeException conflict(String table, String user, long identifier, Throwable cause) {
        return new Builder(
                        ErrorKind.CONFLICT,
                        "COMMIT_CONFLICT",
                        "Nothing was committed to " + table + ", another commit stands in the way: " + firstLine(cause))
                .where(identity(user, identifier))
                .remedy("The data files are kept. Commit the same messages again, or abort them and write again.")
                .cause(cause)
                .build();
    }

    public static BridgeException commitFailed(String table, String user, long identifier, Throwable cause) {
        return new Builder(ErrorKind.COMMIT, "COMMIT_FAILED", "Nothing was committed to " + table + ": " + firstLine(cause))
                .where(identity(user, identifier))
                .remedy("The data files are kept. Remove the cause and commit the same messages again, or abort them.")
                .cause(cause)
                .build();
    }

    public static BridgeException stateUnknown(String table, String user, long identifier, Throwable cause) {
        return new Builder(
                        ErrorKind.UNKNOWN,
                        "COMMIT_STATE_UNKNOWN",
                        "It is not known whether the commit to " + table + " took place: " + firstLine(cause))
                .where(identity(user, identifier))
                .remedy(LOOK_FIRST)
                .cause(cause)
                .build();
    }

    public static BridgeException abortUncertain(String table, String user, Set<Long> identifiers) {
        return new Builder(
                        ErrorKind.UNKNOWN,
                        "COMMIT_STATE_UNKNOWN",
                        "Nothing was deleted from " + table + ": it is not known whether an earlier commit took place.")
                .where("commit user " + user + ", identifiers " + identifiers)
                .remedy(LOOK_FIRST)
                .build();
    }

    static String identity(String user, long identifier) {
        return "commit user " + user + ", identifier " + identifier;
    }

    static BridgeException error(ErrorKind kind, String code, String message, String where, String remedy) {
        return new Builder(kind, code, message).where(where).remedy(remedy).build();
    }

    /** The innermost cause with a text of its own, on one line. */
    public static String firstLine(Throwable error) {
        Throwable best = error;
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null) {
                best = cause;
            }
        }
        String text = best.getMessage() == null ? best.getClass().getName() : best.getMessage();
        return text.trim().split("\\R", 2)[0];
    }

    static final class Builder {
        private final ErrorKind kind;
        private final String code;
        private final String message;
        private final Map<String, Object> details = new LinkedHashMap<>();
        private String where = "";
        private String remedy = "";
        private Throwable cause;

        Builder(ErrorKind kind, String code, String message) {
            this.kind = kind;
            this.code = code;
            this.message = message;
        }

        Builder where(String text) {
            where = text;
            return this;
        }

        Builder remedy(String text) {
            remedy = text;
            return this;
        }

        Builder detail(String name, Object value) {
            details.put(name, value);
            return this;
        }

        Builder cause(Throwable error) {
            cause = error;
            return this;
        }

        BridgeException build() {
            return new BridgeException(kind, code, message, where, remedy, Collections.unmodifiableMap(details), cause);
        }
    }
}
