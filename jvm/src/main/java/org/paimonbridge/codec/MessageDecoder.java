package org.paimonbridge.codec;

import java.io.IOException;
import java.util.Arrays;

import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageSerializer;

/** Paimon's own serializer, both ways: the only decoder whose values are ever committed. Give it verified bytes only. */
public final class MessageDecoder {

    private final CommitMessageSerializer serializer = new CommitMessageSerializer();

    /** The version this serializer writes; only messages of this version can be proved by writing them again. */
    public int version() {
        return serializer.getVersion();
    }

    public CommitMessage decode(byte[] verified) throws IOException {
        return serializer.deserialize(version(), verified);
    }

    /**
     * Whether Paimon writes the decoded message back to the same bytes. Then nothing was dropped or changed on the way, and what
     * the verifier saw in the bytes is what Paimon has in hand.
     */
    public boolean reserializesTo(CommitMessage message, byte[] bytes) throws IOException {
        return Arrays.equals(serializer.serialize(message), bytes);
    }
}
