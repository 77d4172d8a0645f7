package org.paimonbridge.check;

import static org.paimonbridge.Warehouse.envelope;

import java.util.Arrays;
import java.util.List;

import org.apache.paimon.table.FileStoreTable;
import org.paimonbridge.release.PaimonRelease;

/** Messages with exactly one thing wrong, on their way to a table. */
final class Attempt {

    final FileStoreTable table;
    final List<byte[]> messages;
    byte[] blob;
    int version = PaimonRelease.messageVersion();
    boolean paimonRefuses;

    Attempt(FileStoreTable table, byte[]... messages) {
        this.table = table;
        this.messages = Arrays.asList(messages);
        this.blob = envelope(table, this.messages).encode();
    }

    /** The envelope is what is wrong. */
    Attempt in(byte[] envelopes) {
        blob = envelopes;
        return this;
    }

    /** The messages claim to be of this version. */
    Attempt labelled(int claimed) {
        version = claimed;
        return in(envelope(table, messages).version(claimed).encode());
    }

    /** Paimon alone refuses, or fails at, this one too. */
    Attempt refusedByPaimonToo() {
        paimonRefuses = true;
        return this;
    }
}
