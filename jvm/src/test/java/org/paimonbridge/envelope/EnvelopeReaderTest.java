package org.paimonbridge.envelope;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import org.junit.Test;
import org.paimonbridge.EnvelopeBytes;
import org.paimonbridge.error.BridgeException;
import org.paimonbridge.error.ErrorKind;

public class EnvelopeReaderTest {

    private static final List<byte[]> MESSAGES = Arrays.asList(new byte[] {1, 2, 3}, new byte[0], new byte[] {4});

    @Test
    public void everythingWrittenIsRead() {
        byte[] blob =
                new EnvelopeBytes()
                        .version(11)
                        .table("t-1", "db.größe")
                        .schemaId(5)
                        .commitUser("pb-x")
                        .run("r")
                        .task(7, 1234567890123L)
                        .messages(MESSAGES)
                        .encode();
        List<Envelope> envelopes = EnvelopeReader.readAll(blob);
        assertEquals(1, envelopes.size());
        Envelope envelope = envelopes.get(0);
        assertFalse(envelope.foreign());
        assertEquals(11, envelope.messageVersion());
        assertEquals("t-1", envelope.tableId());
        assertEquals("db.größe", envelope.table());
        assertEquals(5, envelope.schemaId());
        assertEquals("pb-x", envelope.commitUser());
        assertEquals("r", envelope.runId());
        assertEquals(7, envelope.task());
        assertEquals(1234567890123L, envelope.attempt());
        assertEquals(3, envelope.payloads().size());
        assertArrayEquals(new byte[] {1, 2, 3}, envelope.payloads().get(0));
        assertArrayEquals(new byte[] {4}, envelope.payloads().get(2));
    }

    @Test
    public void envelopesFollowEachOtherAndNoneIsFineToo() {
        byte[] one = new EnvelopeBytes().task(0, 1).messages(MESSAGES).encode();
        byte[] two = new EnvelopeBytes().task(1, 2).encode();
        assertEquals(2, EnvelopeReader.readAll(EnvelopeBytes.join(one, two)).size());
        assertEquals(Collections.emptyList(), EnvelopeReader.readAll(new byte[0]));
        assertTrue(EnvelopeReader.readAll(new EnvelopeBytes().foreign().encode()).get(0).foreign());
    }

    @Test
    public void everySingleBitCounts() {
        byte[] blob = new EnvelopeBytes().messages(MESSAGES).encode();
        for (int bit = 0; bit < 8 * blob.length; bit++) {
            byte[] changed = blob.clone();
            changed[bit >> 3] ^= (byte) (1 << (bit & 7));
            BridgeException e = assertThrows("bit " + bit, BridgeException.class, () -> EnvelopeReader.readAll(changed));
            assertEquals(ErrorKind.CODEC, e.kind());
            assertEquals("ENVELOPE_MALFORMED", e.code());
        }
    }

    @Test
    public void everyTruncationIsRefused() {
        byte[] blob = new EnvelopeBytes().messages(MESSAGES).encode();
        for (int length = 1; length < blob.length; length++) {
            byte[] cut = Arrays.copyOf(blob, length);
            assertThrows("length " + length, BridgeException.class, () -> EnvelopeReader.readAll(cut));
        }
    }

    @Test
    public void lengthsThatLieUnderAGoodChecksumAreRefused() {
        byte[] blob = new EnvelopeBytes().messages(MESSAGES).encode();
        int payload = blob.length - 32 - 16;
        assertRefused(sealed(blob, payload - 12, 4), "needs 4 bytes");
        assertRefused(sealed(blob, payload - 12, 2), "behind its last message");
        assertRefused(sealed(blob, payload, 100), "a message length is 100");
        assertRefused(sealed(blob, payload, -1), "a message length is -1");
        assertRefused(sealed(blob, payload - 8, Integer.MAX_VALUE), "bytes of messages");
    }

    @Test
    public void envelopesOfDifferentTablesRunsVersionsOrUsersDoNotMix() {
        byte[] one = new EnvelopeBytes().encode();
        assertDisagree(one, new EnvelopeBytes().table("other", "db.t").encode(), "table id");
        assertDisagree(one, new EnvelopeBytes().run("other").encode(), "run");
        assertDisagree(one, new EnvelopeBytes().version(10).encode(), "message version");
        assertDisagree(one, new EnvelopeBytes().commitUser("other").encode(), "commit user");
    }

    private static void assertDisagree(byte[] one, byte[] other, String what) {
        BridgeException e =
                assertThrows(BridgeException.class, () -> EnvelopeReader.readAll(EnvelopeBytes.join(one, other)));
        assertEquals("ENVELOPES_DISAGREE", e.code());
        assertTrue(e.getMessage(), e.getMessage().contains(" " + what + ":"));
    }

    private static void assertRefused(byte[] blob, String text) {
        BridgeException e = assertThrows(BridgeException.class, () -> EnvelopeReader.readAll(blob));
        assertTrue(e.getMessage(), e.getMessage().contains(text));
    }

    /** Changes four bytes and makes the checksum fit again. */
    private static byte[] sealed(byte[] blob, int at, int value) {
        byte[] changed = blob.clone();
        ByteBuffer.wrap(changed).putInt(at, value);
        byte[] checksum = EnvelopeReader.sha256(changed, 0, changed.length - 32);
        System.arraycopy(checksum, 0, changed, changed.length - 32, 32);
        return changed;
    }
}
