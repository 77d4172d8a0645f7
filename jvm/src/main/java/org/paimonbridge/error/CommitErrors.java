package org.paimonbridge.error;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Refusals of what a commit is asked to replace or to note. All are known not to be committed. */
public final class CommitErrors {

    // All of them are in the details; the sentence stays readable.
    private static final int LISTED_PARTITIONS = 20;

    private CommitErrors() {}

    // ---- overwriting

    public static BridgeException overwriteNotPartitioned(String table) {
        return Errors.error(
                ErrorKind.COMMIT,
                "OVERWRITE_NOT_PARTITIONED",
                "Nothing was committed: " + table + " has no partitions, so none of them can be overwritten.",
                "",
                "Use overwrite={} to replace all rows with the new ones, or overwrite=\"truncate\" to empty the table too.");
    }

    public static BridgeException overwriteColumns(String table, Collection<String> given, List<String> keys) {
        return new Errors.Builder(
                        ErrorKind.COMMIT,
                        "OVERWRITE_COLUMN_UNKNOWN",
                        "Nothing was committed: " + given + " are not all partition columns of " + table + "; those are " + keys + ".")
                .remedy("Name one or more partition columns.")
                .build();
    }

    public static BridgeException overwriteValue(String table, Map<String, String> spec, Throwable cause) {
        return new Errors.Builder(
                        ErrorKind.COMMIT,
                        "OVERWRITE_VALUE_INVALID",
                        "Nothing was committed to " + table + ": Paimon cannot read the partition " + spec + ": " + Errors.firstLine(cause))
                .remedy("Give values of the types of the partition columns.")
                .cause(cause)
                .build();
    }

    public static BridgeException outsideOverwrite(String table, Map<String, String> spec, List<String> partitions) {
        int listed = Math.min(LISTED_PARTITIONS, partitions.size());
        String more = partitions.size() > listed ? " and " + (partitions.size() - listed) + " more" : "";
        return new Errors.Builder(
                        ErrorKind.COMMIT,
                        "ROWS_OUTSIDE_OVERWRITE",
                        "Nothing was committed to " + table + ": the call overwrites " + spec + ", but there are new rows in "
                                + String.join(", ", partitions.subList(0, listed)) + more + ".")
                .remedy("Write only rows of that partition, or use overwrite={} to replace the partitions that the rows belong to.")
                .detail("partitions", partitions)
                .build();
    }

    public static BridgeException otherKind(String table, String user, long identifier, long snapshot, String kind) {
        return new Errors.Builder(
                        ErrorKind.CONFLICT,
                        "COMMITTED_AS_ANOTHER_KIND",
                        "Nothing was committed to " + table + ": snapshot " + snapshot + " has this commit user and identifier, but is of "
                                + "the kind " + kind + ".")
                .where(Errors.identity(user, identifier))
                .remedy("The same messages were committed before, once as an overwrite and once not. Repeat the call as it was made first.")
                .detail("snapshotId", snapshot)
                .build();
    }

    // ---- what a snapshot carries

    public static BridgeException releaseLacks(String what, String since, String release) {
        return Errors.error(
                ErrorKind.COMMIT,
                "RELEASE_LACKS_FEATURE",
                "Nothing was committed: there are " + what + " since Paimon " + since + ", this is " + release + ".",
                "",
                "Leave the argument out, or start Spark with a newer Paimon.");
    }

    public static BridgeException badTagName(String tag) {
        return Errors.error(
                ErrorKind.COMMIT,
                "TAG_NAME_INVALID",
                "Nothing was committed: \"" + tag + "\" cannot be the name of a tag.",
                "",
                "Use up to 200 characters without slashes, and not digits alone.");
    }

    public static BridgeException tagTaken(String table, String tag, long snapshot) {
        return new Errors.Builder(
                        ErrorKind.COMMIT,
                        "TAG_EXISTS",
                        "Nothing was committed to " + table + ": its tag " + tag + " exists and marks snapshot " + snapshot + ".")
                .remedy("Take another name, or delete that tag first.")
                .detail("snapshotId", snapshot)
                .build();
    }
}
