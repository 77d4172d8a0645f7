package org.paimonbridge.json;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

import org.junit.Test;
import org.paimonbridge.error.BridgeException;

public class JsonTest {

    @Test
    public void plainMapsAreReadAndNullsLeftOut() {
        assertEquals("{a=1, b=true, c=x}", Json.parseStringMap("options", "{\"a\":1,\"b\":true,\"c\":\"x\",\"d\":null}").toString());
        assertThrows(BridgeException.class, () -> Json.parseStringMap("options", "{\"a\":{}}"));
    }

    @Test
    public void theErrorSaysWhereAndNotWhat() {
        BridgeException e = assertThrows(BridgeException.class, () -> Json.parseObject("the options", "{\"key\":\"my secret\",,}"));
        assertEquals("BAD_REQUEST", e.code());
        assertFalse(e.getMessage(), e.getMessage().contains("secret"));
        assertFalse(String.valueOf(e.getCause()), String.valueOf(e.getCause()).contains("secret"));
    }

    @Test
    public void valuesAreWritten() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("text", "a\"b\nü");
        value.put("number", 5L);
        value.put("none", null);
        value.put("list", Arrays.asList(true, 1.5));
        assertEquals("{\"text\":\"a\\\"b\\nü\",\"number\":5,\"none\":null,\"list\":[true,1.5]}", Json.write(value));
    }

    @Test
    public void missingTextHasAFallbackOrIsAnError() {
        assertNull(Json.text(Json.parseObject("x", "{\"a\":null}"), "a", null));
        assertEquals("f", Json.text(Json.parseObject("x", "{}"), "a", "f"));
        assertThrows(BridgeException.class, () -> Json.requireText("x", Json.parseObject("x", "{\"a\":\"\"}"), "a"));
    }
}
