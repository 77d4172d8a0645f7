package org.paimonbridge.check.scan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;

/**
 * Which columns are read from a file, and where they stand in a row. The table's columns come first, in the order of the schema, so that
 * Paimon's extractors for keys, partitions and buckets work on the row as it is; the columns of key-value files follow.
 */
final class RowLayout {

    static final String SEQUENCE_NUMBER = "_SEQUENCE_NUMBER";
    static final String VALUE_KIND = "_VALUE_KIND";
    static final String KEY_PREFIX = "_KEY_";
    // Ids of columns that no table has; Paimon's formats read by name.
    private static final int FIRST_SYSTEM_ID = Integer.MAX_VALUE / 2;

    private final TableSchema schema;
    private final List<DataField> columns = new ArrayList<>();
    private final List<DataField> all = new ArrayList<>();
    private final boolean keyed;
    private final boolean keyColumns;

    RowLayout(TableSchema schema, Optional<List<String>> writeColumns, boolean keyColumns) {
        this.schema = schema;
        this.keyed = !schema.primaryKeys().isEmpty();
        this.keyColumns = keyed && keyColumns;
        for (DataField field : schema.fields()) {
            if (!writeColumns.isPresent() || writeColumns.get().contains(field.name())) {
                columns.add(field);
            }
        }
        // Everything is read as nullable: a null where none may be is to be found, not to be read as garbage.
        columns.forEach(field -> all.add(field.newType(field.type().copy(true))));
        if (keyed) {
            all.add(new DataField(FIRST_SYSTEM_ID, SEQUENCE_NUMBER, DataTypes.BIGINT()));
            all.add(new DataField(FIRST_SYSTEM_ID + 1, VALUE_KIND, DataTypes.TINYINT()));
        }
        if (this.keyColumns) {
            for (DataField field : schema.trimmedPrimaryKeysFields()) {
                all.add(new DataField(FIRST_SYSTEM_ID + all.size(), KEY_PREFIX + field.name(), field.type().copy(true)));
            }
        }
    }

    RowType readType() {
        return new RowType(all);
    }

    /** The table's columns that the file holds. */
    List<DataField> columns() {
        return columns;
    }

    /** Whether the file holds every column of its schema, so that rows can be routed. */
    boolean complete() {
        return columns.size() == schema.fields().size();
    }

    boolean keyed() {
        return keyed;
    }

    int sequenceAt() {
        return columns.size();
    }

    int kindAt() {
        return columns.size() + 1;
    }

    /** Where the key columns of the table stand. */
    int[] keyAt() {
        return schema.trimmedPrimaryKeys().stream().mapToInt(schema.fieldNames()::indexOf).toArray();
    }

    /** Whether the file also has a copy of the key columns, and they are read. */
    boolean hasKeyColumns() {
        return keyColumns;
    }

    int firstKeyColumnAt() {
        return columns.size() + 2;
    }
}
