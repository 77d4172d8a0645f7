package org.paimonbridge.check.scan;

import java.util.Optional;

import org.apache.paimon.data.InternalRow;
import org.paimonbridge.check.Rule;

/** Sequence numbers have exactly the stated range: the next writer of the bucket goes on behind it. */
final class SequenceWatch implements RowWatch {

    private final int at;
    private final long statedMin;
    private final long statedMax;
    private long min = Long.MAX_VALUE;
    private long max = Long.MIN_VALUE;
    private long nulls;

    SequenceWatch(ScanTask task, RowLayout layout) {
        at = layout.sequenceAt();
        statedMin = task.view().minSequenceNumber();
        statedMax = task.view().maxSequenceNumber();
    }

    @Override
    public Rule rule() {
        return Rule.SEQUENCE_RANGE;
    }

    @Override
    public void see(InternalRow row) {
        if (row.isNullAt(at)) {
            nulls++;
        } else {
            min = Math.min(min, row.getLong(at));
            max = Math.max(max, row.getLong(at));
        }
    }

    @Override
    public Optional<String> problem() {
        if (nulls > 0) {
            return Optional.of(nulls + " rows have no sequence number.");
        }
        return min > max || min == statedMin && max == statedMax
                ? Optional.empty()
                : Optional.of(
                        "The message says sequence numbers " + statedMin + " to " + statedMax + ", the file has " + min + " to " + max
                                + ".");
    }
}
