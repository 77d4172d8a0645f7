package org.paimonbridge.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataTypes;
import org.paimonbridge.Warehouse;
import org.paimonbridge.release.PaimonRelease;

/** The kinds of tables that the gate takes messages for: one row per kind and per option that changes what writers make. */
final class TableKind {

    private static final String[] NO_KEY = {};

    private final String name;
    private final int sinceMessageVersion;
    private final String[] keys;
    private final String[] options;

    private TableKind(String name, int sinceMessageVersion, String[] keys, String... options) {
        this.name = name;
        this.sinceMessageVersion = sinceMessageVersion;
        this.keys = keys;
        this.options = options;
    }

    /** The kinds that the attached release has. Message version 7 came with Paimon 1.1, 10 with 1.3, 11 with 1.4. */
    static List<TableKind> all() {
        String[] id = {"id", "dt"};
        String[] composite = {"id", "name", "dt"};
        List<TableKind> kinds = new ArrayList<>();
        for (TableKind kind :
                Arrays.asList(
                        new TableKind("append", 0, NO_KEY),
                        new TableKind("append_buckets", 0, NO_KEY, "bucket", "4", "bucket-key", "id"),
                        new TableKind("append_bucket_keys", 0, NO_KEY, "bucket", "3", "bucket-key", "id,name"),
                        new TableKind("row_tracking", 10, NO_KEY, "row-tracking.enabled", "true"),
                        new TableKind("keys", 0, id, "bucket", "4"),
                        new TableKind("keys_composite", 0, composite, "bucket", "2", "metadata.stats-mode", "full"),
                        new TableKind("keys_bucket_key", 0, composite, "bucket", "3", "bucket-key", "name"),
                        new TableKind("keys_thin", 0, id, "bucket", "4", "data-file.thin-mode", "true"),
                        new TableKind("keys_orc", 0, id, "bucket", "2", "file.format", "orc"),
                        new TableKind("keys_avro", 0, id, "bucket", "2", "file.format", "avro"),
                        new TableKind("keys_changelog", 0, id, "bucket", "2", "changelog-producer", "input"),
                        new TableKind("keys_lookup", 0, id, "bucket", "2", "changelog-producer", "lookup"),
                        new TableKind("keys_vectors", 0, id, "bucket", "2", "deletion-vectors.enabled", "true"),
                        new TableKind("keys_first_row", 0, id, "bucket", "2", "merge-engine", "first-row", "ignore-delete", "true"),
                        new TableKind("keys_partial", 0, id, "bucket", "2", "merge-engine", "partial-update", "ignore-delete", "true"),
                        new TableKind("keys_sequence", 0, id, "bucket", "2", "sequence.field", "amount"),
                        new TableKind("dynamic", 0, id, "dynamic-bucket.target-row-num", "40"),
                        new TableKind("dynamic_changelog", 0, id, "changelog-producer", "input"),
                        new TableKind("dynamic_beside", 10, id, "index-file-in-data-file-dir", "true"),
                        new TableKind("postpone", 7, id, "bucket", "-2"))) {
            if (PaimonRelease.messageVersion() >= kind.sinceMessageVersion) {
                kinds.add(kind);
            }
        }
        return kinds;
    }

    boolean hasKeys() {
        return keys.length > 0;
    }

    FileStoreTable create(Warehouse warehouse) {
        Schema.Builder schema =
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("name", DataTypes.STRING())
                        .column("amount", DataTypes.DECIMAL(12, 2))
                        .column("at", DataTypes.TIMESTAMP(6))
                        .column("score", DataTypes.DOUBLE())
                        .column("dt", DataTypes.STRING())
                        .partitionKeys("dt")
                        // Compaction is another operation with messages of its own.
                        .option("write-only", "true")
                        // Small buffers, so that one writer makes several files.
                        .option("page-size", "1 kb")
                        .option("write-buffer-size", "4 kb")
                        .option("write-buffer-spillable", "false");
        if (hasKeys()) {
            schema.primaryKey(keys);
        }
        for (int i = 0; i < options.length; i += 2) {
            schema.option(options[i], options[i + 1]);
        }
        return warehouse.create("db." + name, schema.build());
    }

    @Override
    public String toString() {
        return name;
    }
}
