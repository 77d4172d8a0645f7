package org.paimonbridge;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

import org.paimonbridge.release.PaimonRelease;

/** Changes single values of a message in place, to make exactly one thing wrong with it. Looks at the first new file. */
public final class MessageBytes {

    private final byte[] bytes;
    private final int bucketAt;
    private final int row;

    public MessageBytes(byte[] message) {
        this.bytes = message.clone();
        this.bucketAt = 4 + big(0);
        int lists = bucketAt + 4;
        if (PaimonRelease.messageVersion() >= 7) {
            lists += bytes[lists] == 1 ? 5 : 1;
        }
        this.row = lists + 8;
    }

    public byte[] bytes() {
        return bytes;
    }

    public MessageBytes bucket(int bucket) {
        ByteBuffer.wrap(bytes).putInt(bucketAt, bucket);
        return this;
    }

    /** Only from version 7 on, and where the message states it. */
    public MessageBytes totalBuckets(int count) {
        ByteBuffer.wrap(bytes).putInt(bucketAt + 5, count);
        return this;
    }

    public MessageBytes number(int field, long value) {
        little().putLong(row + 8 + 8 * field, value);
        return this;
    }

    public long number(int field) {
        return little().getLong(row + 8 + 8 * field);
    }

    public MessageBytes setNull(int field) {
        bytes[row + (8 + field >> 3)] |= (byte) (1 << (8 + field & 7));
        return number(field, 0);
    }

    public MessageBytes clearNull(int field) {
        bytes[row + (8 + field >> 3)] &= (byte) ~(1 << (8 + field & 7));
        return this;
    }

    /** Where the variable value of a field starts in the message. */
    public int variable(int field) {
        return row + little().getInt(row + 8 + 8 * field + 4);
    }

    /** Overwrites the file name with another one, padded in front or cut to the same length. */
    public MessageBytes name(String name) {
        int length = little().getInt(row + 8);
        StringBuilder text = new StringBuilder(name);
        while (text.length() < length) {
            text.insert(name.lastIndexOf('.') < 0 ? text.length() : name.lastIndexOf('.'), 'x');
        }
        System.arraycopy(text.toString().getBytes(StandardCharsets.UTF_8), 0, bytes, variable(0), length);
        return this;
    }

    public String name() {
        return new String(bytes, variable(0), little().getInt(row + 8), StandardCharsets.UTF_8);
    }

    private ByteBuffer little() {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private int big(int at) {
        return ByteBuffer.wrap(bytes).getInt(at);
    }
}
