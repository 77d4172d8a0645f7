package org.paimonbridge;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;

import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.junit.Test;

/** A driver with the shim jar and no Paimon: the likeliest mistake in setting up, so it gets its own sentence. */
public class WithoutPaimonTest {

    @Test
    public void everyMethodSaysThatPaimonIsMissing() throws Exception {
        URL shim = BridgeEntryPoint.class.getProtectionDomain().getCodeSource().getLocation();
        // The platform's classes and the shim's, nothing else.
        try (URLClassLoader loader = new URLClassLoader(new URL[] {shim}, ClassLoader.getSystemClassLoader().getParent())) {
            int called = 0;
            for (Method method : loader.loadClass(BridgeEntryPoint.class.getName()).getMethods()) {
                if (method.getDeclaringClass() != Object.class) {
                    Object[] arguments = new Object[method.getParameterCount()];
                    for (int i = 0; i < arguments.length; i++) {
                        Class<?> type = method.getParameterTypes()[i];
                        arguments[i] = type == boolean.class ? Boolean.TRUE : type == byte[].class ? new byte[0] : "{}";
                    }
                    JsonNode error = Warehouse.error((String) method.invoke(null, arguments));
                    assertEquals(method.getName(), "PAIMON_MISSING", error.get("code").asText());
                    assertEquals("SHIM", error.get("kind").asText());
                    called++;
                }
            }
            assertTrue(called >= 7);
        }
    }
}
