package org.paimonbridge.envelope;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import org.paimonbridge.error.Errors;
import org.paimonbridge.verify.ByteCursor;
import org.paimonbridge.verify.MalformedBytesException;

/** Reads envelopes back to back: magic, bounds and checksum of each, then that they belong together. */
public final class EnvelopeReader {

    // Like PNG's: the high bit, both line ends and the end-of-file mark show what a careless copy did to the bytes.
    private static final byte[] MAGIC = {(byte) 0x89, 'P', 'B', 'M', '\r', '\n', 0x1a, '\n'};
    private static final int ENVELOPE_VERSION = 1;
    private static final int CHECKSUM_BYTES = 32;
    private static final int MAX_BLOB_BYTES = 256 * 1024 * 1024;

    private EnvelopeReader() {}

    public static List<Envelope> readAll(byte[] blob) {
        if (blob.length > MAX_BLOB_BYTES) {
            throw Errors.envelope(blob.length + " bytes in one call, at most " + MAX_BLOB_BYTES + " are taken", 0, 0);
        }
        List<Envelope> envelopes = new ArrayList<>();
        ByteCursor in = new ByteCursor(blob, 0, blob.length);
        while (in.remaining() > 0) {
            try {
                envelopes.add(read(in, blob));
            } catch (MalformedBytesException e) {
                throw Errors.envelope(e.reason(), envelopes.size(), e.offset());
            }
        }
        requireSame(envelopes, "table id", Envelope::tableId);
        requireSame(envelopes, "table", Envelope::table);
        requireSame(envelopes, "message version", Envelope::messageVersion);
        requireSame(envelopes, "run", Envelope::runId);
        requireSame(envelopes, "commit user", Envelope::commitUser);
        return envelopes;
    }

    private static Envelope read(ByteCursor in, byte[] blob) throws MalformedBytesException {
        int start = in.position();
        if (!Arrays.equals(in.bytes(MAGIC.length, "the magic"), MAGIC)) {
            throw fault("does not begin like an envelope", start);
        }
        int version = in.u8();
        if (version != ENVELOPE_VERSION) {
            throw fault("is of envelope version " + version + ", this shim reads " + ENVELOPE_VERSION, start + MAGIC.length);
        }
        int origin = in.u8();
        if (origin > 1) {
            throw fault("has the unknown origin " + origin, in.position() - 1);
        }
        int messageVersion = in.u16();
        String tableId = in.text("the table id");
        String table = in.text("the table name");
        long schemaId = in.i64();
        String commitUser = in.text("the commit user");
        String runId = in.text("the run id");
        int task = in.i32();
        long attempt = in.i64();
        int messages = in.count("the message count", 4);
        long payloadLength = in.i64();
        if (payloadLength < 0 || payloadLength > in.remaining() - CHECKSUM_BYTES) {
            throw fault("announces " + payloadLength + " bytes of messages, " + in.remaining() + " are left", in.position() - 8);
        }
        int payloadStart = in.skip((int) payloadLength, "the messages");
        int end = in.position();
        byte[] stated = in.bytes(CHECKSUM_BYTES, "the checksum");
        // The checksum comes before the payload is looked into: what it covers is then what the writer wrote.
        if (!MessageDigest.isEqual(stated, sha256(blob, start, end - start))) {
            throw fault("does not match its checksum; it was damaged on the way", end);
        }
        List<byte[]> payloads = payloads(new ByteCursor(blob, payloadStart, end), messages);
        return new Envelope(
                origin == 1, messageVersion, tableId, table, schemaId, commitUser, runId, task, attempt, payloads);
    }

    private static List<byte[]> payloads(ByteCursor in, int messages) throws MalformedBytesException {
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            payloads.add(in.bytes(in.count("a message length", 1), "a message"));
        }
        if (in.remaining() != 0) {
            throw fault("has " + in.remaining() + " bytes behind its last message", in.position());
        }
        return payloads;
    }

    private static void requireSame(List<Envelope> envelopes, String what, Function<Envelope, Object> part) {
        for (int i = 1; i < envelopes.size(); i++) {
            Object first = part.apply(envelopes.get(0));
            Object other = part.apply(envelopes.get(i));
            if (!Objects.equals(first, other)) {
                throw Errors.envelopesDisagree(what, first, other, i);
            }
        }
    }

    /** SHA-256 of a stretch of bytes. */
    public static byte[] sha256(byte[] bytes, int start, int length) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes, start, length);
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    private static MalformedBytesException fault(String reason, int offset) {
        return MalformedBytesException.at(offset, reason);
    }
}
