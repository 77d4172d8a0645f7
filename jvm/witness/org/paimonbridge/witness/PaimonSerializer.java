package org.paimonbridge.witness;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** One of Paimon's versioned serializers, by the name of its class. */
final class PaimonSerializer {

    private final Object serializer;
    private final Method deserialize;
    private final Method serialize;

    PaimonSerializer(String className) {
        try {
            Class<?> type = Class.forName(className);
            this.serializer = type.getConstructor().newInstance();
            // The interface's methods: the class has a bridge and a typed method of each name.
            Class<?> general = Class.forName("org.apache.paimon.data.serializer.VersionedSerializer");
            this.deserialize = general.getMethod("deserialize", int.class, byte[].class);
            this.serialize = general.getMethod("serialize", Object.class);
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException("No Paimon on the class path: " + className, missing);
        }
    }

    int version() {
        return (Integer) Values.get(serializer, "getVersion");
    }

    Object deserialize(int version, byte[] data) throws Exception {
        return invoke(deserialize, version, data);
    }

    byte[] serialize(Object value) throws Exception {
        return (byte[]) invoke(serialize, value);
    }

    private Object invoke(Method method, Object... arguments) throws Exception {
        try {
            return method.invoke(serializer, arguments);
        } catch (InvocationTargetException failed) {
            throw failed.getCause() instanceof Exception ? (Exception) failed.getCause() : failed;
        }
    }
}
