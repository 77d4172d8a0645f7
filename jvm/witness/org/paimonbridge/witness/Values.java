package org.paimonbridge.witness;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Paimon's values as JSON, field by field through their getters, in the form of the Python side's to_dict.
 *
 * <p>This class holds the differences between the releases 0.8 to 2.0: a getter that a release lacks leaves its key out. DataFileMeta is
 * a class up to 1.2 and an interface from 1.3; index files have an increment of their own up to 1.2 and belong to the other two from
 * 1.3; deletion vectors are pairs up to 0.9, and their map has had three names.
 */
final class Values {

    private static final Map<String, Optional<Method>> GETTERS = new ConcurrentHashMap<>();

    private Values() {}

    static void writeMessage(Object message, Json json) {
        json.open('{');
        json.key("partition");
        writeRow(get(message, "partition"), json);
        json.key("bucket").number((Number) get(message, "bucket"));
        if (has(message, "totalBuckets")) {
            json.key("totalBuckets").number((Number) get(message, "totalBuckets"));
        }
        writeIncrement("dataIncrement", get(message, "newFilesIncrement"), json);
        writeIncrement("compactIncrement", get(message, "compactIncrement"), json);
        if (has(message, "indexIncrement")) {
            writeIncrement("indexIncrement", get(message, "indexIncrement"), json);
        }
        json.close('}');
    }

    static void writeCommittable(Object committable, Json json) {
        json.open('{');
        json.key("identifier").number((Number) get(committable, "identifier"));
        json.key("watermark").number((Number) get(committable, "watermark"));
        for (String map : new String[] {"logOffsets", "properties"}) {
            if (has(committable, map)) {
                json.key(map).open('{');
                for (Map.Entry<?, ?> entry : ((Map<?, ?>) get(committable, map)).entrySet()) {
                    json.key(entry.getKey().toString()).string(entry.getValue().toString());
                }
                json.close('}');
            }
        }
        json.key("messages").open('[');
        for (Object message : (List<?>) get(committable, "fileCommittables")) {
            writeMessage(message, json);
        }
        json.close(']').close('}');
    }

    private static void writeIncrement(String name, Object increment, Json json) {
        json.key(name).open('{');
        for (String list : new String[] {"newFiles", "deletedFiles", "compactBefore", "compactAfter", "changelogFiles"}) {
            if (has(increment, list)) {
                json.key(list).open('[');
                for (Object file : (List<?>) get(increment, list)) {
                    Files.writeDataFile(file, json);
                }
                json.close(']');
            }
        }
        for (String list : new String[] {"newIndexFiles", "deletedIndexFiles"}) {
            if (has(increment, list)) {
                json.key(list).open('[');
                for (Object file : (List<?>) get(increment, list)) {
                    Files.writeIndexFile(file, json);
                }
                json.close(']');
            }
        }
        json.close('}');
    }

    static void writeRow(Object row, Json json) {
        json.open('{').key("hex").hex((byte[]) callStatic("org.apache.paimon.utils.SerializationUtils", "serializeBinaryRow", row));
        json.close('}');
    }

    static boolean has(Object value, String getter) {
        return find(value.getClass(), getter).isPresent();
    }

    static Object get(Object value, String getter) {
        Method method = find(value.getClass(), getter).orElseThrow(() -> new IllegalStateException(value.getClass() + " has no " + getter));
        return invoke(method, value);
    }

    static Object invoke(Method method, Object owner, Object... arguments) {
        try {
            return method.invoke(owner, arguments);
        } catch (InvocationTargetException failed) {
            throw new IllegalStateException(method + " failed", failed.getCause());
        } catch (IllegalAccessException closed) {
            throw new IllegalStateException(method + " is not open", closed);
        }
    }

    private static Object callStatic(String className, String name, Object argument) {
        Optional<Method> method = GETTERS.computeIfAbsent(className + '#' + name, key -> {
            try {
                return Optional.of(Class.forName(className).getMethod(name, argument.getClass()));
            } catch (ReflectiveOperationException missing) {
                return Optional.empty();
            }
        });
        return invoke(method.orElseThrow(() -> new IllegalStateException(className + " has no " + name)), null, argument);
    }

    private static Optional<Method> find(Class<?> type, String getter) {
        return GETTERS.computeIfAbsent(type.getName() + '#' + getter, key -> {
            try {
                Method method = type.getMethod(getter);
                method.setAccessible(true);
                return Optional.of(method);
            } catch (NoSuchMethodException missing) {
                return Optional.empty();
            }
        });
    }
}
