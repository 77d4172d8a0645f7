package org.paimonbridge.table;

import org.paimonbridge.error.Errors;

/** Bytes as text in JSON. */
final class Hex {

    private static final char[] DIGITS = "0123456789abcdef".toCharArray();

    private Hex() {}

    static String encode(byte[] bytes) {
        char[] text = new char[2 * bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            text[2 * i] = DIGITS[bytes[i] >> 4 & 15];
            text[2 * i + 1] = DIGITS[bytes[i] & 15];
        }
        return new String(text);
    }

    static byte[] decode(String text) {
        byte[] bytes = new byte[text.length() / 2];
        for (int i = 0; i < text.length(); i++) {
            int digit = Character.digit(text.charAt(i), 16);
            if (digit < 0 || text.length() % 2 != 0) {
                throw Errors.badRequest("\"" + text + "\" is not hex");
            }
            bytes[i / 2] |= (byte) (i % 2 == 0 ? digit << 4 : digit);
        }
        return bytes;
    }
}
