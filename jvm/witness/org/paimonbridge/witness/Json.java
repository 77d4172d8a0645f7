package org.paimonbridge.witness;

/** Writes JSON. Commas are put where they belong; non-ASCII characters are escaped, so no encoding can harm them. */
final class Json {

    private static final String HEX = "0123456789abcdef";

    private final StringBuilder text = new StringBuilder();
    private boolean first = true;

    Json open(char bracket) {
        separate();
        text.append(bracket);
        first = true;
        return this;
    }

    Json close(char bracket) {
        text.append(bracket);
        first = false;
        return this;
    }

    Json key(String name) {
        string(name);
        text.append(':');
        first = true;
        return this;
    }

    /** A number, or null. */
    Json number(Number value) {
        separate();
        text.append(value);
        return this;
    }

    /** Text, or null. */
    Json string(String value) {
        separate();
        if (value == null) {
            text.append("null");
            return this;
        }
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
        return this;
    }

    /** Bytes as hex, or null. */
    Json hex(byte[] bytes) {
        if (bytes == null) {
            return string(null);
        }
        StringBuilder digits = new StringBuilder(2 * bytes.length);
        for (byte b : bytes) {
            digits.append(HEX.charAt(b >> 4 & 15)).append(HEX.charAt(b & 15));
        }
        return string(digits.toString());
    }

    private void separate() {
        if (!first) {
            text.append(',');
        }
        first = false;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
