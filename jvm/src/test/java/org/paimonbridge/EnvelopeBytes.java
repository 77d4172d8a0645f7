package org.paimonbridge;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;

import org.paimonbridge.envelope.EnvelopeReader;

/** Writes envelopes for tests: the Python side's format, from its description and not from the reader under test. */
public final class EnvelopeBytes {

    private int origin;
    private int version = 11;
    private String tableId = "id";
    private String table = "db.t";
    private long schemaId;
    private String commitUser = "pb-user";
    private String runId = "run-1";
    private int task = 3;
    private long attempt = 17;
    private List<byte[]> messages = Collections.emptyList();

    public EnvelopeBytes foreign() {
        origin = 1;
        runId = "";
        task = -1;
        attempt = -1;
        return this;
    }

    public EnvelopeBytes version(int value) {
        version = value;
        return this;
    }

    public EnvelopeBytes table(String id, String name) {
        tableId = id;
        table = name;
        return this;
    }

    public EnvelopeBytes schemaId(long value) {
        schemaId = value;
        return this;
    }

    public EnvelopeBytes commitUser(String value) {
        commitUser = value;
        return this;
    }

    public EnvelopeBytes run(String id) {
        runId = id;
        return this;
    }

    public EnvelopeBytes task(int index, long attemptId) {
        task = index;
        attempt = attemptId;
        return this;
    }

    public EnvelopeBytes messages(List<byte[]> payloads) {
        messages = payloads;
        return this;
    }

    public byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.write(new byte[] {(byte) 0x89, 0x50, 0x42, 0x4d, 0x0d, 0x0a, 0x1a, 0x0a, 1});
            out.writeByte(origin);
            out.writeShort(version);
            text(out, tableId);
            text(out, table);
            out.writeLong(schemaId);
            text(out, commitUser);
            text(out, runId);
            out.writeInt(task);
            out.writeLong(attempt);
            out.writeInt(messages.size());
            out.writeLong(messages.stream().mapToLong(message -> 4 + message.length).sum());
            for (byte[] message : messages) {
                out.writeInt(message.length);
                out.write(message);
            }
            byte[] soFar = bytes.toByteArray();
            out.write(EnvelopeReader.sha256(soFar, 0, soFar.length));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    public static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.write(part, 0, part.length);
        }
        return all.toByteArray();
    }

    private static void text(DataOutputStream out, String value) throws IOException {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        out.writeShort(utf8.length);
        out.write(utf8);
    }
}
