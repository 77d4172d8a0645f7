package org.paimonbridge.verify;

import java.math.BigInteger;

/** The plain shapes, as in Paimon's BinaryRow and BinaryArray writers. */
final class Shapes {

    static final Shape BOOLEAN = new Whole(1, 0, 1);
    static final Shape INT8 = new Whole(1, Byte.MIN_VALUE, Byte.MAX_VALUE);
    static final Shape INT16 = new Whole(2, Short.MIN_VALUE, Short.MAX_VALUE);
    static final Shape INT32 = new Whole(4, Integer.MIN_VALUE, Integer.MAX_VALUE);
    static final Shape INT64 = new Whole(8, Long.MIN_VALUE, Long.MAX_VALUE);
    static final Shape STRING = new Sequence(true, Integer.MAX_VALUE);
    static final Shape BYTES = new Sequence(false, Integer.MAX_VALUE);
    static final Shape ROW_BYTES = new RowBytes();
    /** A type that has no statistics and is no key, so that Paimon writes nothing but null for it. */
    static final Shape ALWAYS_NULL = new AlwaysNull();

    private Shapes() {}

    static Shape wholeBetween(int width, long low, long high) {
        return new Whole(width, low, high);
    }

    static Shape stringUpTo(int bytes) {
        return new Sequence(true, bytes);
    }

    /** {@code reservesNull}: whether a null keeps its space; see {@link Wide}. */
    static Shape decimal(int precision, boolean reservesNull) {
        BigInteger limit = BigInteger.TEN.pow(precision);
        if (precision <= 18) {
            return new Whole(8, limit.longValue() * -1 + 1, limit.longValue() - 1);
        }
        return new WideDecimal(limit, reservesNull);
    }

    static Shape timestamp(int precision, boolean reservesNull) {
        return precision <= 3 ? INT64 : new WideTimestamp(reservesNull);
    }

    /** Numbers, dates, times, and floating point bits: the low bytes of the slot, zeros above. */
    private static final class Whole extends Shape {
        private final int width;
        private final long low;
        private final long high;

        Whole(int width, long low, long high) {
            this.width = width;
            this.low = low;
            this.high = high;
        }

        @Override
        int width() {
            return width;
        }

        @Override
        Object read(Region region, int slot, int slotWidth) throws MalformedBytesException {
            region.requireZeros(slot + width, slotWidth - width, "the unused part of a slot");
            long value =
                    width == 8
                            ? region.i64(slot)
                            : width == 4
                                    ? region.i32(slot)
                                    : width == 2
                                            ? (short) (region.i8(slot) & 0xff | region.i8(slot + 1) << 8)
                                            : region.i8(slot);
            if (value < low || value > high) {
                throw region.fault(slot, value + " is outside " + low + " to " + high);
            }
            return value;
        }
    }

    /** Text and binary: up to seven bytes inside the slot with a marked length, longer ones in the variable part. */
    private static final class Sequence extends Shape {
        private final boolean text;
        private final int limit;

        Sequence(boolean text, int limit) {
            this.text = text;
            this.limit = limit;
        }

        @Override
        Object read(Region region, int slot, int slotWidth) throws MalformedBytesException {
            int mark = region.i8(slot + 7);
            int length;
            int at;
            if (mark < 0) {
                length = mark & 0x7f;
                at = slot;
                if (length > 7) {
                    throw region.fault(slot + 7, length + " bytes inside a slot");
                }
                region.requireZeros(slot + length, 7 - length, "the unused part of a slot");
            } else {
                length = region.i32(slot);
                if (length >= 0 && length <= 7) {
                    throw region.fault(slot, length + " bytes outside the slot that should hold them");
                }
                at = region.variable(slot, region.i32(slot + 4), length);
            }
            if (length > limit) {
                throw region.fault(slot, length + " bytes, at most " + limit + " are allowed");
            }
            return text ? (Object) region.utf8(at, length) : region.copy(at, length);
        }
    }

    /** A row as bytes: field count (big-endian), then the raw row. Its types are the table's, which come into play later. */
    private static final class RowBytes extends Shape {
        @Override
        Object read(Region region, int slot, int slotWidth) throws MalformedBytesException {
            int length = region.i32(slot);
            int at = region.variable(slot, region.i32(slot + 4), length);
            if (length < 4) {
                throw region.fault(at, "a row of " + length + " bytes");
            }
            RowShape.requireRow(region.part(at + 4, length - 4), Integer.reverseBytes(region.i32(at)));
            return region.copy(at, length);
        }
    }

    /**
     * A value with a fixed amount of variable space, which a null keeps too, so that it can be set in place. Every release does so in
     * partitions and keys. In bounds of statistics 1.0 leaves the space out, and since 1.1 it is there; readers take both.
     */
    private abstract static class Wide extends Shape {
        private final int space;
        private final boolean reservesNull;

        Wide(int space, boolean reservesNull) {
            this.space = space;
            this.reservesNull = reservesNull;
        }

        int variable(Region region, int slot) throws MalformedBytesException {
            return region.variable(slot, region.i32(slot + 4), space);
        }

        @Override
        void readNull(Region region, int slot) throws MalformedBytesException {
            region.requireZeros(slot, 4, "the slot of a null");
            if (reservesNull || region.i32(slot + 4) != 0) {
                region.requireZeros(variable(region, slot), space, "the space of a null");
            }
        }
    }

    /** DECIMAL of more than 18 digits: 16 bytes of space; the value is big-endian and as short as can be. */
    private static final class WideDecimal extends Wide {
        private final BigInteger limit;

        WideDecimal(BigInteger limit, boolean reservesNull) {
            super(16, reservesNull);
            this.limit = limit;
        }

        @Override
        Object read(Region region, int slot, int slotWidth) throws MalformedBytesException {
            int length = region.i32(slot);
            if (length < 1 || length > 16) {
                throw region.fault(slot, "a decimal of " + length + " bytes");
            }
            int at = variable(region, slot);
            region.requireZeros(at + length, 16 - length, "padding");
            BigInteger value = new BigInteger(region.copy(at, length));
            if (value.toByteArray().length != length || value.abs().compareTo(limit) >= 0) {
                throw region.fault(at, "a decimal that is too long or out of range");
            }
            return value;
        }
    }

    /** TIMESTAMP of more than 3 digits: nanoseconds within the millisecond in the slot, milliseconds in the variable part. */
    private static final class WideTimestamp extends Wide {

        WideTimestamp(boolean reservesNull) {
            super(8, reservesNull);
        }

        @Override
        Object read(Region region, int slot, int slotWidth) throws MalformedBytesException {
            int nanos = region.i32(slot);
            if (nanos < 0 || nanos > 999_999) {
                throw region.fault(slot, nanos + " nanoseconds within a millisecond");
            }
            return region.i64(variable(region, slot));
        }
    }

    private static final class AlwaysNull extends Shape {
        @Override
        Object read(Region region, int slot, int slotWidth) throws MalformedBytesException {
            throw region.fault(slot, "a value of a type that is always null here");
        }
    }
}
