package org.paimonbridge.verify;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalInt;

import org.junit.Test;

/** The verifier on one message of version 11, spelled out byte by byte, and on single changes of it. */
public class MessageVerifierTest {

    // One append file, "data-a-0.parquet", 707 bytes, 2 rows, without statistics. 1.4.2 writes these very bytes.
    private static final String ROW =
            "0000400e00000000" // header: fields 14, 17, 18 and 19 are null
                    + "10000000a8000000 c302000000000000 0200000000000000"
                    + "0c000000b8000000 0c000000c8000000 48000000d8000000 4800000020010000"
                    + "0000000000000000 0100000000000000 0000000000000000 0000000000000000"
                    + "0800000068010000 0068e5cf8b010000 0000000000000000 0000000000000000"
                    + "0000000000000000 0800000070010000 0000000000000000 0000000000000000 0000000000000000"
                    + "646174612d612d30 2e70617271756574" // 168: the name
                    + zeros(32) // 184: smallest and largest key
                    + "0000000000000000 0c00000020000000 0c00000030000000 0800000040000000" + zeros(40)
                    + "0000000000000000 0c00000020000000 0c00000030000000 0800000040000000" + zeros(40)
                    + zeros(16); // 360: extra files, columns with statistics
    private static final byte[] MESSAGE =
            hex("0000000c 00000000 0000000000000000" + "00000000" + "01ffffffff" + "00000001" + "00000178" + ROW + zeros(36));

    private static final int ROW_AT = 33;
    private static final int NAME_SLOT = ROW_AT + 8;
    private static final int VALUE_STATS_AT = ROW_AT + 288;

    @Test
    public void aMessageOfPaimonIsReadAsItIs() throws Exception {
        assertEquals(445, MESSAGE.length);
        MessageView message = MessageVerifier.verify(11, MESSAGE);
        assertArrayEquals(new byte[12], message.partition());
        assertEquals(0, message.bucket());
        assertEquals(OptionalInt.of(-1), message.totalBuckets());
        assertEquals(1, message.newFiles().size());
        FileView file = message.newFiles().get(0);
        assertEquals("data-a-0.parquet", file.name());
        assertEquals(707, file.size());
        assertEquals(2, file.rowCount());
        assertArrayEquals(new byte[12], file.minKey());
        assertEquals(0, file.minSequenceNumber());
        assertEquals(1, file.maxSequenceNumber());
        assertEquals(0, file.schemaId());
        assertEquals(0, file.level());
        assertEquals(Collections.emptyList(), file.extraFiles());
        assertEquals(1_700_000_000_000L, file.creationTimeMillis());
        assertEquals(Optional.of(0L), file.deleteRowCount());
        assertEquals(Optional.empty(), file.embeddedIndex());
        assertEquals(Optional.of(0L), file.fileSource());
        assertEquals(Optional.of(Collections.emptyList()), file.valueStatsColumns());
        assertEquals(Optional.empty(), file.externalPath());
        assertEquals(Optional.empty(), file.firstRowId());
        assertEquals(Optional.empty(), file.writeColumns());
        assertEquals(Collections.emptyList(), file.valueStats().nullCounts());
        assertEquals(6, message.fileLists().size());
        assertEquals(4, message.indexFileLists().size());
    }

    @Test
    public void everyTruncationIsRefused() {
        for (int length = 0; length < MESSAGE.length; length++) {
            byte[] cut = Arrays.copyOf(MESSAGE, length);
            assertThrows(MalformedBytesException.class, () -> MessageVerifier.verify(11, cut));
        }
    }

    @Test
    public void trailingBytesAndGluedMessagesAreRefused() {
        assertRefused(Arrays.copyOf(MESSAGE, MESSAGE.length + 1), "1 bytes behind the message");
        byte[] twice = Arrays.copyOf(MESSAGE, 2 * MESSAGE.length);
        System.arraycopy(MESSAGE, 0, twice, MESSAGE.length, MESSAGE.length);
        assertRefused(twice, "445 bytes behind the message");
    }

    @Test
    public void versionsBeforeAndAfterAreNotReadAsThisOne() {
        // 9 and 10 differ in their lists, 13 has one more field per file.
        for (int version : new int[] {2, 3, 4, 5, 6, 8, 13}) {
            assertThrows(MalformedBytesException.class, () -> MessageVerifier.verify(version, MESSAGE));
        }
        assertThrows(IllegalArgumentException.class, () -> MessageVerifier.verify(14, MESSAGE));
        assertFalse(MessageVerifier.knows(1));
        assertFalse(MessageVerifier.knows(99));
    }

    @Test
    public void lengthBombsAreRefusedBeforeAnythingIsAllocated() {
        for (int bomb : new int[] {Integer.MAX_VALUE, -1, Integer.MIN_VALUE, 0x70000000}) {
            assertRefused(big(MESSAGE, 0, bomb), "partition");
            assertRefused(big(MESSAGE, 4, bomb), "partition");
            assertRefused(big(MESSAGE, 25, bomb), "newFiles");
            assertRefused(big(MESSAGE, 29, bomb), "newFiles");
            assertRefused(little(MESSAGE, NAME_SLOT, bomb), "_FILE_NAME");
            assertRefused(little(MESSAGE, NAME_SLOT + 4, bomb), "_FILE_NAME");
            assertRefused(little(MESSAGE, ROW_AT + 360, bomb), "_EXTRA_FILES");
            assertRefused(little(MESSAGE, VALUE_STATS_AT + 64, bomb), "_VALUE_STATS._NULL_COUNTS");
            assertRefused(big(MESSAGE, VALUE_STATS_AT + 32, bomb), "_VALUE_STATS._MIN_VALUES");
        }
    }

    @Test
    public void pointersOutsideOrTwiceIntoTheSameBytesAreRefused() {
        assertRefused(little(MESSAGE, NAME_SLOT + 4, 368), "newFiles[0]._FILE_NAME");
        assertRefused(little(MESSAGE, NAME_SLOT + 4, 176), "newFiles[0]._FILE_NAME");
        assertRefused(little(MESSAGE, NAME_SLOT + 4, 0), "newFiles[0]._FILE_NAME");
        // The largest key on the bytes of the smallest: inside the row, but shared.
        assertRefused(little(MESSAGE, ROW_AT + 8 + 8 * 4 + 4, 184), "newFiles[0]._MAX_KEY");
    }

    @Test
    public void onlyTheCanonicalFormPasses() {
        byte[] padding = MESSAGE.clone();
        padding[ROW_AT + 184 + 13] = 1;
        assertRefused(padding, "padding is not zero");
        byte[] rowKind = MESSAGE.clone();
        rowKind[ROW_AT] = 3;
        assertRefused(rowKind, "the row kind is 3");
        byte[] nullBit = MESSAGE.clone();
        nullBit[ROW_AT + 6] = 1;
        assertRefused(nullBit, "a null bit behind the last field");
        byte[] valueOfNull = MESSAGE.clone();
        valueOfNull[ROW_AT + 8 + 8 * 18] = 1;
        assertRefused(valueOfNull, "the slot of a null");
        byte[] unusedSlotBytes = MESSAGE.clone();
        unusedSlotBytes[ROW_AT + 8 + 8 * 10 + 5] = 1;
        assertRefused(unusedSlotBytes, "the unused part of a slot");
        byte[] flag = MESSAGE.clone();
        flag[20] = 2;
        assertRefused(flag, "a flag is 2");
    }

    @Test
    public void nullsThatPaimonWouldReadUncheckedAreRefused() {
        for (int field = 0; field < 13; field++) {
            byte[] changed = MESSAGE.clone();
            changed[ROW_AT + (8 + field >> 3)] |= (byte) (1 << (8 + field & 7));
            assertRefused(changed, "is null");
        }
        byte[] nullCounts = MESSAGE.clone();
        nullCounts[VALUE_STATS_AT + 1] |= 4;
        assertRefused(nullCounts, "_VALUE_STATS._NULL_COUNTS: is null");
    }

    @Test
    public void textMustBeUtf8() {
        byte[] changed = MESSAGE.clone();
        changed[ROW_AT + 168] = (byte) 0xc0;
        assertRefused(changed, "text is not UTF-8");
    }

    @Test
    public void anUnknownFileSourceIsRefusedHereAndNotByPaimonsException() {
        byte[] changed = MESSAGE.clone();
        changed[ROW_AT + 8 + 8 * 15] = 2;
        assertRefused(changed, "_FILE_SOURCE: 2 is outside 0 to 1");
    }

    @Test
    public void aMessageOverTheLimitIsNotLookedAt() {
        assertRefused(new byte[16 * 1024 * 1024 + 1], "a message has at most");
    }

    private static void assertRefused(byte[] message, String text) {
        MalformedBytesException e = assertThrows(MalformedBytesException.class, () -> MessageVerifier.verify(11, message));
        assertTrue(e.getMessage() + " does not say " + text, e.getMessage().contains(text));
        assertTrue("offset " + e.offset(), e.offset() >= 0 && e.offset() <= message.length);
    }

    private static byte[] big(byte[] bytes, int at, int value) {
        byte[] changed = bytes.clone();
        java.nio.ByteBuffer.wrap(changed).putInt(at, value);
        return changed;
    }

    private static byte[] little(byte[] bytes, int at, int value) {
        return big(bytes, at, Integer.reverseBytes(value));
    }

    private static String zeros(int bytes) {
        return String.join("", Collections.nCopies(bytes, "00"));
    }

    static byte[] hex(String text) {
        String digits = text.replace(" ", "");
        byte[] bytes = new byte[digits.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
        }
        return bytes;
    }
}
