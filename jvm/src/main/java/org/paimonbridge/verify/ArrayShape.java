package org.paimonbridge.verify;

import java.util.ArrayList;
import java.util.List;

/** A BinaryArray: element count, null bits, elements, variable part. Unlike in a row, a null reserves no space. */
final class ArrayShape extends Shape {

    private final Shape element;
    private final boolean nullableElements;

    ArrayShape(Shape element, boolean nullableElements) {
        this.element = element;
        this.nullableElements = nullableElements;
    }

    @Override
    Object read(Region region, int slot, int slotWidth) throws MalformedBytesException {
        int length = region.i32(slot);
        int at = region.variable(slot, region.i32(slot + 4), length);
        return readArray(region.part(at, length));
    }

    private List<Object> readArray(Region array) throws MalformedBytesException {
        if (array.size() < 8) {
            throw array.fault(0, array.size() + " bytes cannot be an array");
        }
        int count = array.i32(0);
        long header = 4 + ((long) count + 31) / 32 * 4;
        long fixed = Region.padded(header + (long) count * element.width());
        if (count < 0 || fixed > array.size()) {
            throw array.fault(0, count + " elements in " + array.size() + " bytes");
        }
        int elements = (int) header;
        int elementsEnd = elements + count * element.width();
        array.requireZeros(elementsEnd, (int) fixed - elementsEnd, "padding");
        for (int bit = count; bit < 8 * (elements - 4); bit++) {
            if (array.bit(4, bit)) {
                throw array.fault(4 + (bit >> 3), "a null bit behind the last element");
            }
        }
        array.fixedPart((int) fixed);
        List<Object> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            try {
                values.add(readElement(array, i, elements + i * element.width()));
            } catch (MalformedBytesException e) {
                throw e.within("[" + i + "]");
            }
        }
        array.finish();
        return values;
    }

    private Object readElement(Region array, int index, int slot) throws MalformedBytesException {
        if (!array.bit(4, index)) {
            return element.read(array, slot, element.width());
        }
        if (!nullableElements) {
            throw array.fault(slot, "is null");
        }
        array.requireZeros(slot, element.width(), "the slot of a null");
        return null;
    }
}
