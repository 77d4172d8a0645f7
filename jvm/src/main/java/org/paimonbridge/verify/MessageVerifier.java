package org.paimonbridge.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Walks the bytes of a CommitMessage and answers a view of them, or says which byte is wrong.
 *
 * <p>Runs before Paimon's decoder sees a byte. That decoder reads memory unchecked: about one random mutant in fifty kills the JVM,
 * and eight bytes can make it allocate gigabytes. Every length is held against the bytes that are left before anything is allocated.
 */
public final class MessageVerifier {

    private MessageVerifier() {}

    public static boolean knows(int version) {
        return MessageLayout.OLDEST <= version && version <= MessageLayout.NEWEST;
    }

    public static MessageView verify(int version, byte[] message) throws MalformedBytesException {
        if (!knows(version)) {
            throw new IllegalArgumentException("no layout for message version " + version);
        }
        if (message.length > MessageLayout.MAX_MESSAGE_BYTES) {
            throw new MalformedBytesException(0, message.length + " bytes, a message has at most " + MessageLayout.MAX_MESSAGE_BYTES);
        }
        ByteCursor in = new ByteCursor(message, 0, message.length);
        MessageView view = read(version, message, in);
        if (in.remaining() != 0) {
            throw new MalformedBytesException(in.position(), in.remaining() + " bytes behind the message");
        }
        return view;
    }

    /** Reads one message from where {@code in} stands and leaves it behind its last byte. */
    static MessageView read(int version, byte[] message, ByteCursor in) throws MalformedBytesException {
        MessageLayout layout = MessageLayout.of(version);
        byte[] partition = partition(in, message);
        int bucket = in.i32();
        OptionalInt totalBuckets = OptionalInt.empty();
        if (version >= MessageLayout.TOTAL_BUCKETS_SINCE && in.bool()) {
            totalBuckets = OptionalInt.of(in.i32());
        }
        Map<String, List<FileView>> files = new LinkedHashMap<>();
        Map<String, List<IndexFileView>> indexFiles = new LinkedHashMap<>();
        int rows = 0;
        for (MessageLayout.FileList list : MessageLayout.LISTS) {
            if (!list.isIn(version)) {
                continue;
            }
            try {
                List<Object[]> read = rows(in, message, list.ofIndexFiles ? layout.index : layout.file);
                rows += read.size();
                if (list.ofIndexFiles) {
                    List<IndexFileView> views = new ArrayList<>(read.size());
                    read.forEach(row -> views.add(new IndexFileView(row)));
                    indexFiles.put(list.name, views);
                } else {
                    List<FileView> views = new ArrayList<>(read.size());
                    read.forEach(row -> views.add(new FileView(row)));
                    files.put(list.name, views);
                }
            } catch (MalformedBytesException e) {
                throw e.within(list.name);
            }
        }
        if (rows > MessageLayout.MAX_FILES) {
            throw new MalformedBytesException(0, rows + " files, a message has at most " + MessageLayout.MAX_FILES);
        }
        return new MessageView(partition, bucket, totalBuckets, files, indexFiles);
    }

    private static byte[] partition(ByteCursor in, byte[] message) throws MalformedBytesException {
        try {
            int length = in.count("the length", 1);
            int at = in.position();
            int arity = in.i32();
            in.skip(length - 4, "the row");
            RowShape.requireRow(new Region(message, at + 4, length - 4), arity);
            return Arrays.copyOfRange(message, at, at + length);
        } catch (MalformedBytesException e) {
            throw e.within("partition");
        }
    }

    private static List<Object[]> rows(ByteCursor in, byte[] message, RowShape shape) throws MalformedBytesException {
        // A row takes at least its length and its header.
        int count = in.count("the number of files", 12);
        List<Object[]> rows = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            try {
                int length = in.count("the length", 1);
                int at = in.skip(length, "the row");
                rows.add(shape.readRow(new Region(message, at, length)));
            } catch (MalformedBytesException e) {
                throw e.within("[" + i + "]");
            }
        }
        return rows;
    }
}
