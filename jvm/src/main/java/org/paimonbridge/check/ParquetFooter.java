package org.paimonbridge.check;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.shade.org.apache.parquet.format.ColumnChunk;
import org.apache.paimon.shade.org.apache.parquet.format.FileMetaData;
import org.apache.paimon.shade.org.apache.parquet.format.RowGroup;
import org.apache.paimon.shade.org.apache.parquet.format.SchemaElement;
import org.apache.paimon.shade.org.apache.parquet.format.Util;

/** The footer of a Parquet file, by the Parquet that Paimon carries: one read of the file's tail in the usual case. */
public final class ParquetFooter {

    private static final String MAGIC = "PAR1";
    private static final int TAIL = 32 * 1024;
    private static final ThreadLocal<byte[]> BUFFER = ThreadLocal.withInitial(() -> new byte[TAIL + 1]);
    private static final int MAX_FOOTER = 64 * 1024 * 1024;

    private final FileMetaData metadata;

    private ParquetFooter(FileMetaData metadata) {
        this.metadata = metadata;
    }

    /** The footer, if the file has exactly this length; empty where that, or anything else, is not as it should be. */
    static Optional<ParquetFooter> readAtEnd(FileIO fileIO, Path path, long length) throws IOException {
        if (length < 12) {
            return Optional.empty();
        }
        int size = (int) Math.min(length, TAIL);
        byte[] tail = BUFFER.get();
        try (SeekableInputStream in = fileIO.newInputStream(path)) {
            in.seek(length - size);
            // One byte more than there should be: whoever gets it has a longer file.
            int done = 0;
            for (int count = 0; count >= 0 && done <= size; done += Math.max(count, 0)) {
                count = in.read(tail, done, size + 1 - done);
            }
            long footer = done == size ? littleEndian(tail, size - 8) : -1;
            if (footer < 0 || footer > size - 12 || !isMagic(tail, size - 4)) {
                return Optional.empty();
            }
            ByteArrayInputStream stream = new ByteArrayInputStream(tail, size - 8 - (int) footer, (int) footer);
            return Optional.of(new ParquetFooter(Util.readFileMetaData(stream, true)));
        } catch (FileNotFoundException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    private static boolean isMagic(byte[] bytes, int at) {
        return MAGIC.equals(new String(bytes, at, MAGIC.length(), StandardCharsets.ISO_8859_1));
    }

    /** Without row groups, which are not needed to count rows, and of which there can be very many. */
    static ParquetFooter read(FileIO fileIO, Path path, long length) throws IOException {
        return read(fileIO, path, length, true);
    }

    private static ParquetFooter read(FileIO fileIO, Path path, long length, boolean skipRowGroups) throws IOException {
        if (length < 12) {
            throw new IOException("it has " + length + " bytes, too few for Parquet");
        }
        try (SeekableInputStream in = fileIO.newInputStream(path)) {
            byte[] tail = read(in, Math.max(0, length - TAIL), length);
            if (!isMagic(tail, tail.length - 4)) {
                throw new IOException("it does not end like a Parquet file");
            }
            long footer = littleEndian(tail, tail.length - 8);
            if (footer < 0 || footer > MAX_FOOTER || footer > length - 12) {
                throw new IOException("its footer would have " + footer + " bytes");
            }
            int size = (int) footer;
            byte[] bytes = size + 8 <= tail.length ? tail : read(in, length - 8 - size, length);
            ByteArrayInputStream stream = new ByteArrayInputStream(bytes, bytes.length - 8 - size, size);
            return new ParquetFooter(Util.readFileMetaData(stream, skipRowGroups));
        }
    }

    long rowCount() {
        return metadata.getNum_rows();
    }

    List<SchemaElement> schema() {
        return metadata.getSchema();
    }

    /** Nulls in a top-level column according to the statistics of all row groups, or -1 where these do not tell. */
    public static long nullCount(FileIO fileIO, Path path, long length, String column) throws IOException {
        long nulls = 0;
        for (RowGroup group : read(fileIO, path, length, false).metadata.getRow_groups()) {
            boolean found = false;
            for (ColumnChunk chunk : group.getColumns()) {
                List<String> names = chunk.getMeta_data().getPath_in_schema();
                if (names.size() == 1 && names.get(0).equals(column)) {
                    if (!chunk.getMeta_data().isSetStatistics() || !chunk.getMeta_data().getStatistics().isSetNull_count()) {
                        return -1;
                    }
                    found = true;
                    nulls += chunk.getMeta_data().getStatistics().getNull_count();
                }
            }
            if (!found) {
                return -1;
            }
        }
        return nulls;
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
