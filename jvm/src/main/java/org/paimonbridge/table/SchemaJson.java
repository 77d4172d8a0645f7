package org.paimonbridge.table;

import java.util.ArrayList;
import java.util.List;

import org.apache.paimon.schema.Schema;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.paimon.types.DataTypeJsonParser;
import org.paimonbridge.error.BridgeException;
import org.paimonbridge.error.Errors;
import org.paimonbridge.json.Json;

/** Reads the schema of a table to be made: types as in a Paimon schema file, field ids left to Paimon. */
public final class SchemaJson {

    private SchemaJson() {}

    public static Schema parse(String table, String text) {
        JsonNode json = Json.parseObject("the schema", text);
        Schema.Builder builder = Schema.newBuilder();
        try {
            for (JsonNode field : json.path("fields")) {
                builder.column(
                        Json.requireText("a field", field, "name"),
                        DataTypeJsonParser.parseDataType(withFieldIds(require(field, "type"))),
                        Json.text(field, "description", null));
            }
            builder.partitionKeys(texts(json.path("partitionKeys")));
            builder.primaryKey(texts(json.path("primaryKeys")));
            builder.options(Json.stringMap("the options", json.path("options")));
            builder.comment(Json.text(json, "comment", null));
            return builder.build();
        } catch (BridgeException e) {
            throw e;
        } catch (RuntimeException e) {
            throw Errors.badSchema(table, e);
        }
    }

    /** Paimon's parser wants an id on every nested field; {@code Schema.Builder} then hands out its own. */
    private static JsonNode withFieldIds(JsonNode type) {
        JsonNode copy = type.deepCopy();
        fillFieldIds(copy);
        return copy;
    }

    private static void fillFieldIds(JsonNode node) {
        if (node.isObject() && node.has("name") && node.has("type") && !node.has("id")) {
            ((ObjectNode) node).put("id", 0);
        }
        node.forEach(SchemaJson::fillFieldIds);
    }

    private static JsonNode require(JsonNode object, String field) {
        JsonNode value = object.get(field);
        if (value == null) {
            throw Errors.badRequest("a field of the schema lacks \"" + field + "\"");
        }
        return value;
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.asText()));
        return texts;
    }
}
