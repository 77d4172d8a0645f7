package org.paimonbridge.witness;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** DataFileMeta and IndexFileMeta as JSON. */
final class Files {

    private static final String[] DATA_FILE_FIELDS = {
        "fileName", "fileSize", "rowCount", "minKey", "maxKey", "keyStats", "valueStats", "minSequenceNumber", "maxSequenceNumber",
        "schemaId", "level", "extraFiles", "creationTime", "deleteRowCount", "embeddedIndex", "fileSource", "valueStatsCols",
        "externalPath", "firstRowId", "writeCols"
    };
    private static final String[] DELETION_VECTOR_GETTERS = {"deletionVectorsRanges", "deletionVectorMetas", "dvRanges"};

    private Files() {}

    static void writeDataFile(Object file, Json json) {
        json.open('{');
        for (String field : DATA_FILE_FIELDS) {
            if (Values.has(file, field)) {
                json.key(field.equals("creationTime") ? "creationTimeMillis" : field);
                writeValue(Values.get(file, field), json);
            }
        }
        json.close('}');
    }

    static void writeIndexFile(Object file, Json json) {
        json.open('{');
        for (String field : new String[] {"indexType", "fileName", "fileSize", "rowCount", "externalPath"}) {
            if (Values.has(file, field)) {
                json.key(field);
                writeValue(Values.get(file, field), json);
            }
        }
        for (String getter : DELETION_VECTOR_GETTERS) {
            if (Values.has(file, getter)) {
                json.key("dvRanges");
                writeDeletionVectors((LinkedHashMap<?, ?>) Values.get(file, getter), json);
            }
        }
        if (Values.has(file, "globalIndexMeta")) {
            json.key("globalIndexMeta");
            writeGlobalIndex(Values.get(file, "globalIndexMeta"), json);
        }
        json.close('}');
    }

    private static void writeDeletionVectors(LinkedHashMap<?, ?> vectors, Json json) {
        if (vectors == null) {
            json.string(null);
            return;
        }
        json.open('[');
        for (Map.Entry<?, ?> entry : vectors.entrySet()) {
            Object vector = entry.getValue();
            boolean pair = !Values.has(vector, "offset");
            json.open('{').key("dataFileName").string((String) (pair ? entry.getKey() : Values.get(vector, "dataFileName")));
            json.key("offset").number((Number) Values.get(vector, pair ? "getLeft" : "offset"));
            json.key("length").number((Number) Values.get(vector, pair ? "getRight" : "length"));
            if (!pair) {
                json.key("cardinality").number((Number) Values.get(vector, "cardinality"));
            }
            json.close('}');
        }
        json.close(']');
    }

    private static void writeGlobalIndex(Object meta, Json json) {
        if (meta == null) {
            json.string(null);
            return;
        }
        json.open('{');
        for (String field : new String[] {"rowRangeStart", "rowRangeEnd", "indexFieldId", "extraFieldIds", "indexMeta", "sourceMeta"}) {
            if (Values.has(meta, field)) {
                json.key(field);
                writeValue(Values.get(meta, field), json);
            }
        }
        json.close('}');
    }

    private static void writeValue(Object value, Json json) {
        if (value instanceof Optional) {
            writeValue(((Optional<?>) value).orElse(null), json);
        } else if (value == null || value instanceof String) {
            json.string((String) value);
        } else if (value instanceof Number) {
            json.number((Number) value);
        } else if (value instanceof byte[]) {
            json.hex((byte[]) value);
        } else if (value instanceof int[]) {
            json.open('[');
            for (int number : (int[]) value) {
                json.number(number);
            }
            json.close(']');
        } else if (value instanceof Collection) {
            json.open('[');
            for (Object element : (Collection<?>) value) {
                writeValue(element, json);
            }
            json.close(']');
        } else {
            writePaimonValue(value, json);
        }
    }

    private static void writePaimonValue(Object value, Json json) {
        if (Values.has(value, "getMillisecond")) {
            json.number((Number) Values.get(value, "getMillisecond"));
        } else if (Values.has(value, "toByteValue")) {
            json.number((Number) Values.get(value, "toByteValue"));
        } else if (Values.has(value, "minValues")) {
            json.open('{').key("minValues");
            Values.writeRow(Values.get(value, "minValues"), json);
            json.key("maxValues");
            Values.writeRow(Values.get(value, "maxValues"), json);
            json.key("nullCounts");
            writeLongs(Values.get(value, "nullCounts"), json);
            json.close('}');
        } else {
            Values.writeRow(value, json);
        }
    }

    private static void writeLongs(Object array, Json json) {
        try {
            Method isNull = array.getClass().getMethod("isNullAt", int.class);
            Method get = array.getClass().getMethod("getLong", int.class);
            int size = (Integer) Values.get(array, "size");
            json.open('[');
            for (int i = 0; i < size; i++) {
                json.number((Boolean) Values.invoke(isNull, array, i) ? null : (Number) Values.invoke(get, array, i));
            }
            json.close(']');
        } catch (NoSuchMethodException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
