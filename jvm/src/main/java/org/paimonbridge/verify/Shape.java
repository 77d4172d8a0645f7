package org.paimonbridge.verify;

/** The layout of one value inside a row or an array: what its slot may hold, and what the slot refers to. */
abstract class Shape {

    /** Bytes of a slot in an array; in a row every slot has eight. */
    int width() {
        return 8;
    }

    /** Checks the value of a slot and answers it. {@code slotWidth} is 8 in a row and {@link #width()} in an array. */
    abstract Object read(Region region, int slot, int slotWidth) throws MalformedBytesException;

    /** Checks the slot of a null in a row. */
    void readNull(Region region, int slot) throws MalformedBytesException {
        region.requireZeros(slot, 8, "the slot of a null");
    }
}
