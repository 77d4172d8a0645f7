package org.paimonbridge.check;

/** The rules of the gate, in the order in which they run. Names are stable: reports, documents and tests refer to them. */
public enum Rule {
    MESSAGE_VERSION(
            Level.OFF,
            "Write with the version the driver's Paimon speaks (the default), or start the driver with the release that wrote them."),
    BYTES_WELL_FORMED(Level.OFF, "Hand over the bytes exactly as the writer made them."),
    RESERIALIZES_IDENTICALLY(Level.OFF, "The writer does not encode as Paimon does; report the message with `paimon-bridge inspect`."),
    TABLE_IDENTITY(Level.OFF, "Commit to the table the rows were written for; if it was dropped and made again, write again."),
    ONE_ATTEMPT_PER_TASK(Level.OFF, "Keep the messages of one attempt per task: both hold the same rows."),
    TABLE_KIND(Level.OFF, "Write to such a table with an engine that keeps its keys, or put the partition keys into the primary key."),
    ADD_ONLY(Level.OFF, "A plain commit may only add files. Use the operation that makes such lists, such as compaction."),
    PARTITION_ROW(Level.OFF, "Encode the partition row with the types of the table's partition keys, in their order."),
    KEY_ROW(Level.OFF, "Encode the smallest and largest key with the types of the table's key; append tables have an empty row."),
    STATS_SHAPE(Level.OFF, "Write statistics for exactly the columns named, or none: an empty column list and empty statistics."),
    FILE_NAME(Level.OFF, "Use one plain file name with a format suffix, in the bucket's own folder."),
    POSTPONE_NAME(Level.FAST, "Name postponed files as Paimon does: who wrote them, and which writer of the job."),
    INDEX_FILE(Level.FAST, "Write the index again: four bytes per key of the bucket, one file per bucket."),
    BUCKET(Level.FAST, "Write with the bucket count and the bucket function of the table."),
    SCHEMA_ID(Level.FAST, "Describe the table again and write with its schema."),
    FILE_LEVEL(Level.FAST, "New files have level 0, source 0 (append) and no first row id."),
    FILE_UNIQUE(Level.FAST, "Commit each message once; give each file a name of its own."),
    FILE_NOT_IN_TABLE(Level.FAST, "These rows are committed already; do not commit them again under another identity."),
    SEQUENCE_AHEAD(Level.FAST, "Describe the table again and write the rows again; let one writer at a time have a bucket."),
    SEQUENCE_DISJOINT(Level.FAST, "Give every bucket one writer per commit."),
    CHANGELOG_COMPLETE(Level.FAST, "Write the changelog with the data: every row that came in, in the order of keys."),
    FILE_EXISTS(Level.FAST, "Write the rows again: their file is gone or was never closed."),
    FILE_SIZE(Level.FAST, "Take the size from the closed file; never write to a file after that."),
    FILE_ROW_COUNT(Level.FAST, "Count the rows that the file holds, or write the file again if it is damaged."),
    FILE_COLUMNS(Level.FAST, "Write every column of the schema under its exact name, in the Parquet type that Paimon writes."),
    NOT_NULL(Level.FAST, "Keep nulls out of NOT NULL columns, keys among them, before writing."),
    KEY_BOUNDS(Level.FAST, "State the first and the last key of the sorted file."),
    SEQUENCE_RANGE(Level.FAST, "Number the rows one by one, and state the smallest and the greatest number in the file."),
    DELETE_COUNT(Level.FAST, "Count the rows of the kinds -U and -D."),
    FILE_READS(Level.FULL, "Paimon cannot read this file as its message describes it; write it again."),
    STATS_TRUE(Level.FULL, "Take statistics from the rows themselves, or leave them out: an empty column list and empty statistics."),
    ROW_PARTITION(Level.FULL, "Write each row to the partition that its columns name."),
    ROW_BUCKET(Level.FULL, "Hash the bucket key as Paimon does, with the bucket count of the partition."),
    KEY_ORDER(Level.FULL, "Sort the rows by key and keep one per key; further rows of a key go to another file."),
    KEY_COLUMNS(Level.FULL, "Fill the _KEY_ columns from the key columns, or leave them out (data-file.thin-mode)."),
    ROW_KIND(Level.FULL, "Use 0 (+I), 1 (-U), 2 (+U) or 3 (-D)."),
    INDEX_CONTENT(Level.FULL, "Write the hashes of all keys of the bucket, old and new, into its index.");

    private final Level level;
    private final String remedy;

    Rule(Level level, String remedy) {
        this.level = level;
        this.remedy = remedy;
    }

    /** The lowest level at which the rule runs. */
    public Level level() {
        return level;
    }

    public String remedy() {
        return remedy;
    }
}
