package org.paimonbridge.verify;

import java.util.List;

import org.apache.paimon.types.ArrayType;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DecimalType;
import org.apache.paimon.types.LocalZonedTimestampType;
import org.apache.paimon.types.RowType;
import org.apache.paimon.types.TimestampType;

/**
 * Verifies the rows inside a message that have the table's types: partitions, keys, and bounds of statistics.
 *
 * <p>Paimon stores them unread and trusts them later: a bad pointer in a statistic commits fine, and then kills every JVM that filters
 * on that column.
 */
public final class TableRows {

    private final RowShape shape;

    private TableRows(RowShape shape) {
        this.shape = shape;
    }

    /** Rows of these fields, each nullable as declared. */
    public static TableRows of(List<DataField> fields) {
        return new TableRows(row(fields, false));
    }

    /** Rows of bounds: any of them may be unknown, which is null. */
    public static TableRows ofBounds(List<DataField> fields) {
        return new TableRows(row(fields, true));
    }

    /** Checks a framed row; only the one canonical form of its values passes. */
    public void verify(byte[] framed) throws MalformedBytesException {
        shape.readFramed(framed);
    }

    private static RowShape row(List<DataField> fields, boolean bounds) {
        String[] names = new String[fields.size()];
        Shape[] shapes = new Shape[fields.size()];
        boolean[] nullable = new boolean[fields.size()];
        for (int i = 0; i < names.length; i++) {
            names[i] = fields.get(i).name();
            shapes[i] = shape(fields.get(i).type(), !bounds);
            nullable[i] = bounds || fields.get(i).type().isNullable();
        }
        return new RowShape(names, shapes, nullable);
    }

    private static Shape shape(DataType type, boolean reservesNull) {
        switch (type.getTypeRoot()) {
            case BOOLEAN:
                return Shapes.BOOLEAN;
            case TINYINT:
                return Shapes.INT8;
            case SMALLINT:
                return Shapes.INT16;
            case INTEGER:
            case DATE:
            case TIME_WITHOUT_TIME_ZONE:
            case FLOAT:
                return Shapes.INT32;
            case BIGINT:
            case DOUBLE:
                return Shapes.INT64;
            case CHAR:
            case VARCHAR:
                return Shapes.STRING;
            case BINARY:
            case VARBINARY:
                return Shapes.BYTES;
            case DECIMAL:
                return Shapes.decimal(((DecimalType) type).getPrecision(), reservesNull);
            case TIMESTAMP_WITHOUT_TIME_ZONE:
                return Shapes.timestamp(((TimestampType) type).getPrecision(), reservesNull);
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
                return Shapes.timestamp(((LocalZonedTimestampType) type).getPrecision(), reservesNull);
            case ARRAY:
                DataType element = ((ArrayType) type).getElementType();
                return new ArrayShape(shape(element, reservesNull), element.isNullable());
            case ROW:
                return row(((RowType) type).getFields(), !reservesNull);
            default:
                // MAP, MULTISET, VARIANT, BLOB, VECTOR: neither keys nor statistics.
                return Shapes.ALWAYS_NULL;
        }
    }
}
