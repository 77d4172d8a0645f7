package org.paimonbridge.verify;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads the big-endian framing (Java's DataOutput) front to back and never past the end. */
public final class ByteCursor {

    private final byte[] data;
    private final int end;
    private int position;

    public ByteCursor(byte[] data, int start, int end) {
        this.data = data;
        this.position = start;
        this.end = end;
    }

    public int position() {
        return position;
    }

    public int remaining() {
        return end - position;
    }

    public int u8() throws MalformedBytesException {
        return data[take(1, "a byte")] & 0xff;
    }

    public int u16() throws MalformedBytesException {
        int at = take(2, "a 2-byte number");
        return (data[at] & 0xff) << 8 | data[at + 1] & 0xff;
    }

    public int i32() throws MalformedBytesException {
        return i32At(data, take(4, "a 4-byte number"));
    }

    public long i64() throws MalformedBytesException {
        int at = take(8, "an 8-byte number");
        return (long) i32At(data, at) << 32 | i32At(data, at + 4) & 0xffffffffL;
    }

    public boolean bool() throws MalformedBytesException {
        int value = u8();
        if (value > 1) {
            throw new MalformedBytesException(position - 1, "a flag is " + value + ", not 0 or 1");
        }
        return value == 1;
    }

    /** A length or count that the following bytes must be able to hold, each unit taking at least {@code unit} bytes. */
    public int count(String what, int unit) throws MalformedBytesException {
        int at = position;
        int value = i32();
        if (value < 0 || (long) value * unit > remaining()) {
            throw new MalformedBytesException(at, what + " is " + value + " with " + remaining() + " bytes left");
        }
        return value;
    }

    public byte[] bytes(int length, String what) throws MalformedBytesException {
        int at = take(length, what);
        return Arrays.copyOfRange(data, at, at + length);
    }

    /** Steps over {@code length} bytes and says where they start. */
    public int skip(int length, String what) throws MalformedBytesException {
        return take(length, what);
    }

    /** A text: 2-byte length, then UTF-8. */
    public String text(String what) throws MalformedBytesException {
        int length = u16();
        int at = take(length, what);
        return utf8(data, at, length);
    }

    private int take(int length, String what) throws MalformedBytesException {
        if (length < 0 || length > remaining()) {
            throw new MalformedBytesException(position, what + " needs " + length + " bytes, " + remaining() + " are left");
        }
        int at = position;
        position += length;
        return at;
    }

    static int i32At(byte[] data, int at) {
        return data[at] << 24 | (data[at + 1] & 0xff) << 16 | (data[at + 2] & 0xff) << 8 | data[at + 3] & 0xff;
    }

    static String utf8(byte[] data, int at, int length) throws MalformedBytesException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(data, at, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new MalformedBytesException(at, "text is not UTF-8");
        }
    }
}
