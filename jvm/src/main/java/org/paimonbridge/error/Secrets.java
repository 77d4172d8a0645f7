package org.paimonbridge.error;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Keeps credentials among the options out of everything the shim says. */
public final class Secrets {

    private static final Pattern SECRET_KEY =
            Pattern.compile("(?i)secret|password|token|access.?key|credential|\\bsas\\b|signature");
    // A shorter value would blank out ordinary words.
    private static final int SHORTEST_SECRET = 4;

    private final List<String> values;

    private Secrets(List<String> values) {
        this.values = values;
    }

    public static Secrets of(Map<String, String> options) {
        List<String> values = new ArrayList<>();
        options.forEach(
                (key, value) -> {
                    if (SECRET_KEY.matcher(key).find() && value.length() >= SHORTEST_SECRET) {
                        values.add(value);
                        // The same value as it looks inside a JSON text.
                        values.add(value.replace("\\", "\\\\").replace("\"", "\\\""));
                    }
                });
        return new Secrets(values);
    }

    public static Secrets none() {
        return new Secrets(new ArrayList<>());
    }

    public String redact(String text) {
        String redacted = text;
        for (String value : values) {
            redacted = redacted.replace(value, "***");
        }
        return redacted;
    }

    public static Map<String, String> withoutSecrets(Map<String, String> options) {
        Map<String, String> open = new LinkedHashMap<>(options);
        open.keySet().removeIf(key -> SECRET_KEY.matcher(key).find());
        return open;
    }
}
