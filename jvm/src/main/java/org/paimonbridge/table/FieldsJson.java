package org.paimonbridge.table;

import java.util.Collections;
import java.util.List;

import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.types.DataField;
import org.paimonbridge.json.Json;

/** Columns in the JSON of a Paimon schema file, spelled by Paimon itself, so that there is no second spelling of types. */
public final class FieldsJson {

    private FieldsJson() {}

    public static JsonNode of(List<DataField> fields) {
        TableSchema carrier =
                new TableSchema(
                        0,
                        fields,
                        fields.stream().mapToInt(DataField::id).max().orElse(0),
                        Collections.emptyList(),
                        Collections.emptyList(),
                        Collections.emptyMap(),
                        "");
        return of(carrier);
    }

    static JsonNode of(TableSchema schema) {
        return Json.parseObject("a schema", schema.toString()).get("fields");
    }
}
