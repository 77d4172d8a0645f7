package org.paimonbridge.json;

import java.util.LinkedHashMap;
import java.util.Map;

import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.core.JsonProcessingException;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.paimonbridge.error.Errors;

/**
 * JSON in and out, with the Jackson that Paimon carries (its shaded name is the same from 1.0 to 2.0), so that the shim adds no
 * library of its own to Spark's class path.
 */
public final class Json {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    /** Parses an object. {@code what} names the argument in the error; the text itself may hold secrets and is not repeated. */
    public static JsonNode parseObject(String what, String text) {
        try {
            JsonNode node = MAPPER.readTree(text);
            if (node == null || !node.isObject()) {
                throw Errors.badRequest(what + " is not a JSON object");
            }
            return node;
        } catch (JsonProcessingException e) {
            throw Errors.badRequest(what + " is not JSON: " + location(e));
        }
    }

    /** Parses an object whose values are all text; null values are left out. */
    public static Map<String, String> parseStringMap(String what, String text) {
        return stringMap(what, parseObject(what, text));
    }

    public static Map<String, String> stringMap(String what, JsonNode object) {
        Map<String, String> map = new LinkedHashMap<>();
        object.fields()
                .forEachRemaining(
                        entry -> {
                            if (entry.getValue().isContainerNode()) {
                                throw Errors.badRequest(what + "." + entry.getKey() + " is not a plain value");
                            }
                            if (!entry.getValue().isNull()) {
                                map.put(entry.getKey(), entry.getValue().asText());
                            }
                        });
        return map;
    }

    /** Text of a field, or the fallback where it is absent or null. */
    public static String text(JsonNode object, String field, String fallback) {
        JsonNode value = object.get(field);
        return value == null || value.isNull() ? fallback : value.asText();
    }

    public static String requireText(String what, JsonNode object, String field) {
        String value = text(object, field, null);
        if (value == null || value.isEmpty()) {
            throw Errors.badRequest(what + " lacks \"" + field + "\"");
        }
        return value;
    }

    /** Writes maps, lists, text, numbers, booleans and nulls. */
    public static String write(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a value of ours has no JSON form", e);
        }
    }

    private static String location(JsonProcessingException e) {
        return e.getLocation() == null
                ? "unreadable"
                : "stops at line " + e.getLocation().getLineNr() + ", column " + e.getLocation().getColumnNr();
    }
}
