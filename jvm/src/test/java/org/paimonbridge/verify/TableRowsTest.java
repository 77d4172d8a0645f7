package org.paimonbridge.verify;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.apache.paimon.codegen.CodeGenUtils;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.GenericArray;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.data.serializer.InternalSerializers;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.SerializationUtils;
import org.junit.Test;

/** Rows with the types of a table: what Paimon writes passes, and nearly every changed byte of it does not. */
public class TableRowsTest {

    private static final DataType[] TYPES = {
        DataTypes.BOOLEAN(),
        DataTypes.TINYINT(),
        DataTypes.SMALLINT(),
        DataTypes.INT(),
        DataTypes.BIGINT(),
        DataTypes.FLOAT(),
        DataTypes.DOUBLE(),
        DataTypes.DATE(),
        DataTypes.TIME(3),
        DataTypes.CHAR(3),
        DataTypes.STRING(),
        DataTypes.STRING(),
        DataTypes.BYTES(),
        DataTypes.DECIMAL(10, 2),
        DataTypes.DECIMAL(38, 10),
        DataTypes.TIMESTAMP(3),
        DataTypes.TIMESTAMP(6),
        DataTypes.TIMESTAMP_WITH_LOCAL_TIME_ZONE(9),
        DataTypes.ARRAY(DataTypes.STRING()),
        DataTypes.ROW(DataTypes.INT(), DataTypes.STRING()),
    };

    private static final Object[] VALUES = {
        true,
        (byte) -1,
        (short) 258,
        -7,
        1234567890123L,
        1.5f,
        Double.NaN,
        19724,
        3661001,
        BinaryString.fromString("abc"),
        BinaryString.fromString("a longer text, é"),
        BinaryString.fromString(""),
        new byte[] {1, 2},
        Decimal.fromBigDecimal(new BigDecimal("-1.23"), 10, 2),
        Decimal.fromBigDecimal(new BigDecimal("-98765432109876543210.0123456789"), 38, 10),
        Timestamp.fromEpochMillis(-1),
        Timestamp.fromEpochMillis(1, 2000),
        Timestamp.fromEpochMillis(-1, 999_999),
        new GenericArray(new Object[] {BinaryString.fromString("x"), null, BinaryString.fromString("longlonglong")}),
        GenericRow.of(5, BinaryString.fromString("y")),
    };

    @Test
    public void whatPaimonWritesPassesForEveryType() throws Exception {
        for (int i = 0; i < TYPES.length; i++) {
            List<DataField> field = fields(TYPES[i]);
            TableRows.of(field).verify(encode(field, VALUES[i]));
            TableRows.of(field).verify(project(field, new Object[] {null}));
            TableRows.ofBounds(field).verify(encode(field, new Object[] {null}));
            TableRows.ofBounds(field).verify(project(field, new Object[] {null}));
        }
        TableRows.of(fields(TYPES)).verify(encode(fields(TYPES), VALUES));
        TableRows.of(fields(TYPES)).verify(project(fields(TYPES), VALUES));
    }

    @Test
    public void manyFieldsHaveAWiderHeader() throws Exception {
        for (int count : new int[] {0, 1, 56, 57, 120, 121}) {
            DataType[] types = new DataType[count];
            Arrays.fill(types, DataTypes.TIMESTAMP(6));
            TableRows.of(fields(types)).verify(project(fields(types), new Object[count]));
            TableRows.ofBounds(fields(types)).verify(encode(fields(types), new Object[count]));
        }
    }

    @Test
    public void nullInAFieldThatIsNotNullableIsRefused() throws Exception {
        List<DataField> required = fields(DataTypes.INT().notNull());
        byte[] row = encode(fields(DataTypes.INT()), new Object[] {null});
        assertThrows(MalformedBytesException.class, () -> TableRows.of(required).verify(row));
        // As a bound, null means unknown.
        TableRows.ofBounds(required).verify(row);
    }

    @Test
    public void anotherFieldCountIsRefused() {
        MalformedBytesException e =
                assertThrows(
                        MalformedBytesException.class,
                        () -> TableRows.of(fields(DataTypes.INT(), DataTypes.INT())).verify(encode(fields(DataTypes.INT()), 1)));
        assertEquals("the row has 1 fields, not 2 (byte 0)", e.getMessage());
    }

    @Test
    public void aValueOfATypeWithoutStatisticsIsRefused() throws Exception {
        List<DataField> map = fields(DataTypes.MAP(DataTypes.INT(), DataTypes.INT()));
        TableRows.ofBounds(map).verify(encode(map, new Object[] {null}));
        byte[] value = encode(fields(DataTypes.BYTES()), (Object) new byte[24]);
        assertThrows(MalformedBytesException.class, () -> TableRows.ofBounds(map).verify(value));
    }

    @Test
    public void decimalsBeyondTheirPrecisionAreRefused() {
        byte[] wide = encode(fields(DataTypes.BIGINT()), 10_000_000_000L);
        assertThrows(MalformedBytesException.class, () -> TableRows.of(fields(DataTypes.DECIMAL(10, 2))).verify(wide));
    }

    @Test
    public void shortTextOutsideItsSlotIsAnotherPartitionToPaimonAndRefusedHere() {
        byte[] row = MessageVerifierTest.hex("00000001 0000000000000000 0300000010000000 6162630000000000");
        assertThrows(MalformedBytesException.class, () -> TableRows.of(fields(DataTypes.STRING())).verify(row));
    }

    /** Whatever passes, Paimon must read without leaving the row, and write again as the same bytes. */
    @Test
    public void mutantsThatPassReadBackAsTheSameBytes() {
        Random random = new Random(7);
        List<DataField> fields = fields(TYPES);
        byte[] row = encode(fields, VALUES);
        TableRows rows = TableRows.of(fields);
        int passed = 0;
        for (int i = 0; i < 200_000; i++) {
            byte[] mutant = row.clone();
            for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
                mutant[random.nextInt(mutant.length)] = (byte) random.nextInt();
            }
            try {
                rows.verify(mutant);
            } catch (MalformedBytesException e) {
                continue;
            }
            passed++;
            assertArrayEquals(mutant, encode(fields, decode(fields, mutant)));
        }
        assertTrue("only " + passed + " passed", passed > 1_000);
    }

    private static Object[] decode(List<DataField> fields, byte[] row) {
        BinaryRow binary = SerializationUtils.deserializeBinaryRow(row);
        Object[] values = new Object[fields.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = InternalRow.createFieldGetter(fields.get(i).type(), i).getFieldOrNull(binary);
        }
        return values;
    }

    private static List<DataField> fields(DataType... types) {
        List<DataField> fields = new ArrayList<>();
        for (DataType type : types) {
            fields.add(new DataField(fields.size(), "f" + fields.size(), type));
        }
        return fields;
    }

    /** As Java's writers make partitions and keys. */
    private static byte[] project(List<DataField> fields, Object... values) {
        RowType type = new RowType(fields);
        return SerializationUtils.serializeBinaryRow(
                CodeGenUtils.newProjection(type, type.getFieldNames()).apply(GenericRow.of(values)));
    }

    /** As Java makes bounds of statistics. */
    private static byte[] encode(List<DataField> fields, Object... values) {
        return SerializationUtils.serializeBinaryRow(InternalSerializers.create(new RowType(fields)).toBinaryRow(GenericRow.of(values)));
    }
}
