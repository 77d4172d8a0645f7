package org.paimonbridge.witness;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;

/**
 * Paimon's own serializers behind a pipe: the witness against which the Python codec is tested.
 *
 * <p>A request on standard input is one byte (M for a message, C for a committable), the number of items, and per item its version, its
 * length and its bytes. The answer has per item either 1, the value as JSON and Paimon's own serialization of it, or 0 and a stack
 * trace; every text and byte string behind its length. Numbers are big-endian. Before the first request the versions of both serializers
 * are sent. The process ends with its input.
 *
 * <p>Works with every Paimon release: whatever differs between them is reached by name, in {@link Values}.
 */
public final class Witness {

    private final PaimonSerializer messages = new PaimonSerializer("org.apache.paimon.table.sink.CommitMessageSerializer");
    private final PaimonSerializer committables =
            new PaimonSerializer("org.apache.paimon.manifest.ManifestCommittableSerializer");

    private Witness() {}

    public static void main(String[] arguments) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out, 1 << 16));
        // Whatever a library prints must not get between the answers.
        System.setOut(System.err);
        new Witness().serve(in, out);
    }

    private void serve(DataInputStream in, DataOutputStream out) throws IOException {
        out.writeInt(messages.version());
        out.writeInt(committables.version());
        out.flush();
        while (true) {
            byte kind;
            try {
                kind = in.readByte();
            } catch (EOFException end) {
                return;
            }
            int count = in.readInt();
            for (int i = 0; i < count; i++) {
                int version = in.readInt();
                byte[] data = new byte[in.readInt()];
                in.readFully(data);
                answer(kind, version, data, out);
            }
            out.flush();
        }
    }

    private void answer(byte kind, int version, byte[] data, DataOutputStream out) throws IOException {
        byte[] json;
        byte[] again;
        try {
            PaimonSerializer serializer = kind == 'M' ? messages : committables;
            Object value = serializer.deserialize(version, data);
            Json text = new Json();
            if (kind == 'M') {
                Values.writeMessage(value, text);
            } else {
                Values.writeCommittable(value, text);
            }
            json = text.toString().getBytes(StandardCharsets.UTF_8);
            again = serializer.serialize(value);
        } catch (Exception | LinkageError failure) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            out.writeByte(0);
            writeBytes(trace.toString().getBytes(StandardCharsets.UTF_8), out);
            return;
        }
        out.writeByte(1);
        writeBytes(json, out);
        writeBytes(again, out);
    }

    private static void writeBytes(byte[] bytes, DataOutputStream out) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }
}
