package org.paimonbridge.verify;

import java.util.Arrays;

/**
 * One BinaryRow or BinaryArray: a fixed part with slots, and a variable part behind it. Little-endian; offsets count from its start.
 *
 * <p>Paimon writes variable values in slot order, back to back, each padded with zeros to 8 bytes. Only that layout is accepted here,
 * so no two slots can share bytes, nothing points outside, and no byte is left unexplained.
 */
final class Region {

    private final byte[] data;
    private final int start;
    private final int size;
    private int nextVariable;

    Region(byte[] data, int start, int size) {
        this.data = data;
        this.start = start;
        this.size = size;
    }

    int size() {
        return size;
    }

    byte i8(int at) {
        return data[start + at];
    }

    int i32(int at) {
        int from = start + at;
        return data[from] & 0xff | (data[from + 1] & 0xff) << 8 | (data[from + 2] & 0xff) << 16 | data[from + 3] << 24;
    }

    long i64(int at) {
        return i32(at) & 0xffffffffL | (long) i32(at + 4) << 32;
    }

    /** Bits are counted from byte {@code at}, the lowest of each byte first. */
    boolean bit(int at, int index) {
        return (data[start + at + (index >> 3)] >> (index & 7) & 1) == 1;
    }

    String utf8(int at, int length) throws MalformedBytesException {
        return ByteCursor.utf8(data, start + at, length);
    }

    byte[] copy(int at, int length) {
        return Arrays.copyOfRange(data, start + at, start + at + length);
    }

    Region part(int at, int length) {
        return new Region(data, start + at, length);
    }

    /** The fixed part ends here; variable values are expected from here on. */
    void fixedPart(int length) {
        nextVariable = length;
    }

    /** Takes the next {@code length} variable bytes, padding included, which the slot must point at; answers where they start. */
    int variable(int slot, int offset, int length) throws MalformedBytesException {
        if (offset != nextVariable) {
            throw fault(slot, "points at offset " + offset + ", the next value starts at " + nextVariable);
        }
        long padded = padded(length);
        if (length < 0 || offset + padded > size) {
            throw fault(slot, length + " bytes at offset " + offset + " leave the " + size + " bytes of their row");
        }
        requireZeros(offset + length, (int) padded - length, "padding");
        nextVariable += (int) padded;
        return offset;
    }

    /** Every byte of the variable part must have been taken. */
    void finish() throws MalformedBytesException {
        if (nextVariable != size) {
            throw fault(nextVariable, (size - nextVariable) + " bytes behind the last value");
        }
    }

    void requireZeros(int at, int length, String what) throws MalformedBytesException {
        for (int i = at; i < at + length; i++) {
            if (data[start + i] != 0) {
                throw fault(i, what + " is not zero");
            }
        }
    }

    MalformedBytesException fault(int at, String reason) {
        return new MalformedBytesException(start + at, reason);
    }

    static long padded(long length) {
        return length + 7 & ~7L;
    }
}
