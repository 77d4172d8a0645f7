package org.paimonbridge.verify;

/** A BinaryRow: header with null bits, one 8-byte slot per field, variable part. */
final class RowShape extends Shape {

    private final String[] names;
    private final Shape[] shapes;
    private final boolean[] nullable;

    RowShape(String[] names, Shape[] shapes, boolean[] nullable) {
        this.names = names;
        this.shapes = shapes;
        this.nullable = nullable;
    }

    /** A nested row; it is always in the variable part. */
    @Override
    Object read(Region region, int slot, int slotWidth) throws MalformedBytesException {
        int length = region.i32(slot);
        int at = region.variable(slot, region.i32(slot + 4), length);
        return readRow(region.part(at, length));
    }

    Object[] readRow(Region row) throws MalformedBytesException {
        int header = headerSize(shapes.length);
        requireRow(row, shapes.length);
        row.fixedPart(header + 8 * shapes.length);
        Object[] values = new Object[shapes.length];
        for (int i = 0; i < shapes.length; i++) {
            try {
                int slot = header + 8 * i;
                if (!row.bit(0, 8 + i)) {
                    values[i] = shapes[i].read(row, slot, 8);
                } else if (nullable[i]) {
                    shapes[i].readNull(row, slot);
                } else {
                    throw row.fault(slot, "is null");
                }
            } catch (MalformedBytesException e) {
                throw e.within(names[i]);
            }
        }
        row.finish();
        return values;
    }

    /** Reads a row with its field count in front, as partitions, keys and bounds are kept. */
    Object[] readFramed(byte[] framed) throws MalformedBytesException {
        int arity = framed.length < 4 ? -1 : ByteCursor.i32At(framed, 0);
        if (arity != shapes.length) {
            throw new MalformedBytesException(0, "the row has " + arity + " fields, not " + shapes.length);
        }
        return readRow(new Region(framed, 4, framed.length - 4));
    }

    /** Checks what can be checked of a row whose types are not known: its size, and a header that fits the field count. */
    static void requireRow(Region row, int arity) throws MalformedBytesException {
        if (arity < 0 || row.size() < headerSize(arity) + 8L * arity || row.size() % 8 != 0) {
            throw row.fault(0, row.size() + " bytes cannot be a row of " + arity + " fields");
        }
        if (row.i8(0) != 0) {
            throw row.fault(0, "the row kind is " + row.i8(0) + ", not 0");
        }
        for (int bit = 8 + arity; bit < 8 * headerSize(arity); bit++) {
            if (row.bit(0, bit)) {
                throw row.fault(bit >> 3, "a null bit behind the last field");
            }
        }
    }

    private static int headerSize(int arity) {
        return (int) (((long) arity + 63 + 8) / 64 * 8);
    }
}
