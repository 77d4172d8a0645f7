package org.paimonbridge.check;

import java.util.Optional;

import org.apache.paimon.shade.org.apache.parquet.format.ConvertedType;
import org.apache.paimon.shade.org.apache.parquet.format.LogicalType;
import org.apache.paimon.shade.org.apache.parquet.format.SchemaElement;
import org.apache.paimon.shade.org.apache.parquet.format.Type;
import org.apache.paimon.types.ArrayType;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DecimalType;
import org.apache.paimon.types.LocalZonedTimestampType;
import org.apache.paimon.types.MapType;
import org.apache.paimon.types.RowType;
import org.apache.paimon.types.TimestampType;
import org.paimonbridge.release.PaimonRelease;

/**
 * Which Parquet types Paimon's reader takes for which of its types without an error and without a wrong value. Some that it takes are
 * not here: a timestamp of another unit is read as another time.
 */
final class ParquetTypes {

    private static final int NANOS_READ_SINCE_MESSAGE_VERSION = 12;

    private ParquetTypes() {}

    /** What the file has instead, or empty if the types fit. */
    static Optional<String> mismatch(DataType type, ParquetNode node) {
        return fits(type, node) ? Optional.empty() : Optional.of(describe(node));
    }

    private static boolean fits(DataType type, ParquetNode node) {
        switch (type.getTypeRoot()) {
            case BOOLEAN:
                return primitive(node, Type.BOOLEAN);
            case TINYINT:
            case SMALLINT:
            case INTEGER:
            case DATE:
            case TIME_WITHOUT_TIME_ZONE:
                return primitive(node, Type.INT32) && !decimal(node);
            case BIGINT:
                return primitive(node, Type.INT64) && !decimal(node) && unit(node).isEmpty();
            case FLOAT:
                return primitive(node, Type.FLOAT);
            case DOUBLE:
                return primitive(node, Type.DOUBLE);
            case CHAR:
            case VARCHAR:
                return primitive(node, Type.BYTE_ARRAY) && !decimal(node);
            case BINARY:
            case VARBINARY:
                return (primitive(node, Type.BYTE_ARRAY) || primitive(node, Type.FIXED_LEN_BYTE_ARRAY)) && !decimal(node);
            case DECIMAL:
                return decimal((DecimalType) type, node);
            case TIMESTAMP_WITHOUT_TIME_ZONE:
                return timestamp(((TimestampType) type).getPrecision(), node);
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
                return timestamp(((LocalZonedTimestampType) type).getPrecision(), node);
            case ARRAY:
                return list(((ArrayType) type).getElementType(), node);
            case MAP:
                return map((MapType) type, node);
            case ROW:
                return row((RowType) type, node);
            default:
                // MULTISET, VARIANT and what newer releases add: left to the reader, at the level "full".
                return true;
        }
    }

    private static boolean primitive(ParquetNode node, Type type) {
        return !node.group() && !node.repeated() && node.element().getType() == type;
    }

    private static boolean decimal(ParquetNode node) {
        LogicalType logical = node.element().getLogicalType();
        return logical != null && logical.isSetDECIMAL() || node.element().getConverted_type() == ConvertedType.DECIMAL;
    }

    private static boolean decimal(DecimalType type, ParquetNode node) {
        if (node.group() || node.repeated() || !decimal(node)) {
            return false;
        }
        SchemaElement element = node.element();
        boolean logical = element.isSetLogicalType() && element.getLogicalType().isSetDECIMAL();
        int scale = logical ? element.getLogicalType().getDECIMAL().getScale() : element.getScale();
        int precision = logical ? element.getLogicalType().getDECIMAL().getPrecision() : element.getPrecision();
        return scale == type.getScale() && precision == type.getPrecision();
    }

    private static boolean timestamp(int precision, ParquetNode node) {
        if (primitive(node, Type.INT96)) {
            return true;
        }
        if (!primitive(node, Type.INT64)) {
            return false;
        }
        String unit = unit(node);
        if (precision <= 3) {
            return unit.equals("MILLIS");
        }
        if (precision <= 6) {
            return unit.equals("MICROS");
        }
        return unit.equals("NANOS") && PaimonRelease.messageVersion() >= NANOS_READ_SINCE_MESSAGE_VERSION;
    }

    private static String unit(ParquetNode node) {
        LogicalType logical = node.element().getLogicalType();
        if (logical != null && logical.isSetTIMESTAMP()) {
            return logical.getTIMESTAMP().getUnit().getSetField().name();
        }
        ConvertedType converted = node.element().getConverted_type();
        return converted == ConvertedType.TIMESTAMP_MILLIS ? "MILLIS" : converted == ConvertedType.TIMESTAMP_MICROS ? "MICROS" : "";
    }

    private static boolean list(DataType element, ParquetNode node) {
        if (node.children().size() != 1 || !node.children().get(0).repeated()) {
            return false;
        }
        ParquetNode repeated = node.children().get(0);
        // Old writers repeat the element itself.
        return repeated.children().size() == 1 ? fits(element, repeated.children().get(0)) : !repeated.group();
    }

    private static boolean map(MapType type, ParquetNode node) {
        if (node.children().size() != 1 || !node.children().get(0).repeated() || node.children().get(0).children().size() != 2) {
            return false;
        }
        Optional<ParquetNode> key = node.children().get(0).child("key");
        Optional<ParquetNode> value = node.children().get(0).child("value");
        return key.isPresent() && value.isPresent() && fits(type.getKeyType(), key.get()) && fits(type.getValueType(), value.get());
    }

    private static boolean row(RowType type, ParquetNode node) {
        if (!node.group() || node.repeated()) {
            return false;
        }
        for (DataField field : type.getFields()) {
            Optional<ParquetNode> child = node.child(field.name());
            if (!child.isPresent() || !fits(field.type(), child.get())) {
                return false;
            }
        }
        return true;
    }

    private static String describe(ParquetNode node) {
        if (node.group()) {
            return "a Parquet group of " + node.children().size();
        }
        String annotation = node.element().isSetLogicalType() ? " " + node.element().getLogicalType().getSetField().name() : "";
        String unit = unit(node).isEmpty() ? "" : " in " + unit(node);
        return "Parquet " + (node.repeated() ? "repeated " : "") + node.element().getType() + annotation + unit;
    }
}
