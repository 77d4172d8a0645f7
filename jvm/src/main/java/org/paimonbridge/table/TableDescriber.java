package org.paimonbridge.table;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TimeZone;

import org.apache.paimon.table.FileStoreTable;
import org.paimonbridge.error.Secrets;
import org.paimonbridge.release.PaimonRelease;

/** Everything a writer must know of a table, as the value that Python turns into its {@code TableSpec}. */
public final class TableDescriber {

    private TableDescriber() {}

    public static Map<String, Object> describe(String name, FileStoreTable table) {
        Map<String, Object> description = new LinkedHashMap<>();
        description.put("name", name);
        description.put("path", table.location().toString());
        description.put("tableId", table.uuid());
        description.put("schemaId", table.schema().id());
        description.put("fields", FieldsJson.of(table.schema()));
        description.put("partitionKeys", table.partitionKeys());
        description.put("primaryKeys", table.primaryKeys());
        description.put("options", Secrets.withoutSecrets(table.options()));
        description.put("bucketMode", PaimonRelease.bucketMode(table));
        description.put("release", PaimonRelease.version());
        description.put("messageVersion", PaimonRelease.messageVersion());
        description.put("zoneId", TimeZone.getDefault().getID());
        description.put("latestSnapshotId", table.snapshotManager().latestSnapshotId());
        description.put("comment", table.comment().orElse(null));
        return description;
    }
}
