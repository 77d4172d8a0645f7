package org.paimonbridge.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The bytes of a CommitMessage, versions 2 to 13, as one table: a version is a filter over it. Row fields were only ever added at
 * the end; the lists around them were rearranged once, at 10. Paimon writes version 6 from 1.0.1, 7 from 1.1 and 1.2, 10 from 1.3,
 * 11 from 1.4 and 12 from 2.0; 4, 5, 8 and 9 were never released.
 */
final class MessageLayout {

    static final int OLDEST = 2;
    static final int NEWEST = 13;

    /** Before 7 a message does not say how many buckets its writer assumed. */
    static final int TOTAL_BUCKETS_SINCE = 7;

    static final int MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
    static final int MAX_FILES = 100_000;
    static final int MAX_NAME_BYTES = 255;

    private static final Shape NAME = Shapes.stringUpTo(MAX_NAME_BYTES);
    private static final Shape NAMES = new ArrayShape(NAME, false);
    private static final Shape COLUMNS = new ArrayShape(Shapes.STRING, false);

    private static final Shape STATS =
            new RowShape(
                    new String[] {"_MIN_VALUES", "_MAX_VALUES", "_NULL_COUNTS"},
                    new Shape[] {Shapes.ROW_BYTES, Shapes.ROW_BYTES, new ArrayShape(Shapes.INT64, true)},
                    new boolean[3]);

    // Fields that are not "optional" here are read by Paimon without a look at their null bit.
    private static final Field[] FILE = {
        field("_FILE_NAME", NAME),
        field("_FILE_SIZE", Shapes.INT64),
        field("_ROW_COUNT", Shapes.INT64),
        field("_MIN_KEY", Shapes.ROW_BYTES),
        field("_MAX_KEY", Shapes.ROW_BYTES),
        field("_KEY_STATS", STATS),
        field("_VALUE_STATS", STATS),
        field("_MIN_SEQUENCE_NUMBER", Shapes.INT64),
        field("_MAX_SEQUENCE_NUMBER", Shapes.INT64),
        field("_SCHEMA_ID", Shapes.INT64),
        field("_LEVEL", Shapes.INT32),
        field("_EXTRA_FILES", NAMES),
        field("_CREATION_TIME", Shapes.INT64),
        optional("_DELETE_ROW_COUNT", Shapes.INT64, 2),
        optional("_EMBEDDED_FILE_INDEX", Shapes.BYTES, 2),
        optional("_FILE_SOURCE", Shapes.wholeBetween(1, 0, 1), 3),
        optional("_VALUE_STATS_COLS", COLUMNS, 4),
        optional("_EXTERNAL_PATH", Shapes.STRING, 6),
        optional("_FIRST_ROW_ID", Shapes.INT64, 8),
        optional("_WRITE_COLS", COLUMNS, 9),
        optional("_WRITE_COLS_SEQUENCES", new ArrayShape(Shapes.INT64, false), 13),
    };

    private static final Field[] DELETION_VECTOR = {
        field("dataFileName", NAME),
        field("offset", Shapes.INT32),
        field("length", Shapes.INT32),
        optional("cardinality", Shapes.INT64, 5),
    };

    private static final Field[] GLOBAL_INDEX = {
        field("rowRangeStart", Shapes.INT64),
        field("rowRangeEnd", Shapes.INT64),
        field("indexFieldId", Shapes.INT32),
        optional("extraFieldIds", new ArrayShape(Shapes.INT32, false), 11),
        optional("indexMeta", Shapes.BYTES, 11),
        optional("sourceMeta", Shapes.BYTES, 12),
    };

    /** The lists behind partition, bucket and bucket count, in their order on the wire. */
    static final FileList[] LISTS = {
        new FileList("newFiles", false, 2, NEWEST),
        new FileList("deletedFiles", false, 2, NEWEST),
        new FileList("changelogFiles", false, 2, NEWEST),
        new FileList("newIndexFiles", true, 10, NEWEST),
        new FileList("deletedIndexFiles", true, 10, NEWEST),
        new FileList("compactBefore", false, 2, NEWEST),
        new FileList("compactAfter", false, 2, NEWEST),
        new FileList("compactChangelogFiles", false, 2, NEWEST),
        // Up to 9 there is one pair of index lists, at the end; what it belongs to depends on the compact lists.
        new FileList("newIndexFiles", true, 2, 9),
        new FileList("deletedIndexFiles", true, 3, 9),
        new FileList("compactNewIndexFiles", true, 10, NEWEST),
        new FileList("compactDeletedIndexFiles", true, 10, NEWEST),
    };

    private static final Map<Integer, MessageLayout> BY_VERSION = new ConcurrentHashMap<>();

    final RowShape file;
    final RowShape index;

    private MessageLayout(int version) {
        this.file = row(version, FILE);
        this.index =
                row(
                        version,
                        field("_INDEX_TYPE", NAME),
                        field("_FILE_NAME", NAME),
                        field("_FILE_SIZE", Shapes.INT64),
                        field("_ROW_COUNT", Shapes.INT64),
                        optional("_DELETIONS_VECTORS_RANGES", new ArrayShape(row(version, DELETION_VECTOR), false), 2),
                        optional("_EXTERNAL_PATH", Shapes.STRING, 9),
                        optional("_GLOBAL_INDEX", row(version, GLOBAL_INDEX), 11));
    }

    static MessageLayout of(int version) {
        return BY_VERSION.computeIfAbsent(version, MessageLayout::new);
    }

    private static RowShape row(int version, Field... fields) {
        List<Field> present = new ArrayList<>();
        for (Field field : fields) {
            if (version >= field.since) {
                present.add(field);
            }
        }
        String[] names = present.stream().map(field -> field.name).toArray(String[]::new);
        Shape[] shapes = present.stream().map(field -> field.shape).toArray(Shape[]::new);
        boolean[] nullable = new boolean[present.size()];
        for (int i = 0; i < nullable.length; i++) {
            nullable[i] = present.get(i).nullable;
        }
        return new RowShape(names, shapes, nullable);
    }

    private static Field field(String name, Shape shape) {
        return new Field(name, shape, false, OLDEST);
    }

    private static Field optional(String name, Shape shape, int since) {
        return new Field(name, shape, true, since);
    }

    private static final class Field {
        private final String name;
        private final Shape shape;
        private final boolean nullable;
        private final int since;

        Field(String name, Shape shape, boolean nullable, int since) {
            this.name = name;
            this.shape = shape;
            this.nullable = nullable;
            this.since = since;
        }
    }

    /** One list of file rows, and the versions that have it at this place. */
    static final class FileList {
        final String name;
        final boolean ofIndexFiles;
        private final int since;
        private final int until;

        FileList(String name, boolean ofIndexFiles, int since, int until) {
            this.name = name;
            this.ofIndexFiles = ofIndexFiles;
            this.since = since;
            this.until = until;
        }

        boolean isIn(int version) {
            return since <= version && version <= until;
        }
    }
}
