package org.paimonbridge.check;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.shade.org.apache.parquet.format.Util;

/** Reads the footer of a Parquet file with the Parquet that Paimon carries: one read of the file's tail in the usual case. */
final class ParquetFooter {

    private static final String MAGIC = "PAR1";
    private static final int TAIL = 32 * 1024;
    private static final int MAX_FOOTER = 64 * 1024 * 1024;

    private ParquetFooter() {}

    static long rowCount(FileIO fileIO, Path path, long length) throws IOException {
        if (length < 12) {
            throw new IOException("it has " + length + " bytes, too few for Parquet");
        }
        try (SeekableInputStream in = fileIO.newInputStream(path)) {
            byte[] tail = read(in, Math.max(0, length - TAIL), length);
            if (!MAGIC.equals(new String(tail, tail.length - 4, 4, StandardCharsets.ISO_8859_1))) {
                throw new IOException("it does not end like a Parquet file");
            }
            long footer = littleEndian(tail, tail.length - 8);
            if (footer < 0 || footer > MAX_FOOTER || footer > length - 12) {
                throw new IOException("its footer would have " + footer + " bytes");
            }
            int size = (int) footer;
            byte[] bytes = size + 8 <= tail.length ? tail : read(in, length - 8 - size, length);
            // Row groups are not needed for the count, and there can be very many.
            return Util.readFileMetaData(new ByteArrayInputStream(bytes, bytes.length - 8 - size, size), true).getNum_rows();
        }
    }

    private static byte[] read(SeekableInputStream in, long from, long to) throws IOException {
        byte[] bytes = new byte[(int) (to - from)];
        in.seek(from);
        int done = 0;
        while (done < bytes.length) {
            int count = in.read(bytes, done, bytes.length - done);
            if (count < 0) {
                throw new EOFException("it ends early");
            }
            done += count;
        }
        return bytes;
    }

    private static int littleEndian(byte[] bytes, int at) {
        return bytes[at] & 0xff | (bytes[at + 1] & 0xff) << 8 | (bytes[at + 2] & 0xff) << 16 | bytes[at + 3] << 24;
    }
}
