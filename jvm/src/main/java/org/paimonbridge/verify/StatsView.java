package org.paimonbridge.verify;

import java.util.Collections;
import java.util.List;

/** Column statistics as they stand in a message: bounds as framed rows, and a null count, known or not, per column. */
public final class StatsView {

    private final byte[] minValues;
    private final byte[] maxValues;
    private final List<Long> nullCounts;

    @SuppressWarnings("unchecked")
    StatsView(Object[] row) {
        this.minValues = (byte[]) row[0];
        this.maxValues = (byte[]) row[1];
        this.nullCounts = Collections.unmodifiableList((List<Long>) row[2]);
    }

    public byte[] minValues() {
        return minValues;
    }

    public byte[] maxValues() {
        return maxValues;
    }

    public List<Long> nullCounts() {
        return nullCounts;
    }
}
