package org.paimonbridge.check;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.utils.IOUtils;

/** The index of a dynamic bucket: the hashes of its keys, as big-endian integers in any order. */
public final class HashIndex {

    public static final int HASH_BYTES = 4;

    private final int[] sorted;

    private HashIndex(int[] sorted) {
        this.sorted = sorted;
    }

    public static HashIndex read(FileIO fileIO, Path path) throws IOException {
        int size = Math.toIntExact(fileIO.getFileSize(path));
        byte[] bytes = new byte[size];
        try (SeekableInputStream in = fileIO.newInputStream(path)) {
            IOUtils.readFully(in, bytes);
        }
        int[] hashes = new int[size / HASH_BYTES];
        ByteBuffer.wrap(bytes).asIntBuffer().get(hashes);
        Arrays.sort(hashes);
        return new HashIndex(hashes);
    }

    public boolean contains(int hash) {
        return Arrays.binarySearch(sorted, hash) >= 0;
    }

    /** How many hashes of the other index this one does not have. */
    public long missing(HashIndex other) {
        return Arrays.stream(other.sorted).filter(hash -> !contains(hash)).count();
    }
}
