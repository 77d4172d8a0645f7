package org.paimonbridge.check.scan;

import java.util.Optional;

import org.apache.paimon.codegen.CodeGenUtils;
import org.apache.paimon.codegen.Projection;
import org.apache.paimon.codegen.RecordComparator;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalRow;
import org.paimonbridge.check.Rule;

/** Keys ascend, one row each; in a changelog a key may come again, with a greater sequence number. */
final class KeyOrderWatch implements RowWatch {

    private final Projection projection;
    private final RecordComparator comparator;
    private final boolean changelog;
    private final int sequenceAt;
    private final boolean bySequence;
    private BinaryRow previous;
    private long previousSequence;
    private long rows;
    private String problem;

    KeyOrderWatch(ScanTask task, RowLayout layout) {
        projection = CodeGenUtils.newProjection(task.schema().logicalRowType(), layout.keyAt());
        comparator = CodeGenUtils.newRecordComparator(task.schema().logicalTrimmedPrimaryKeysType().getFieldTypes());
        changelog = task.changelog();
        sequenceAt = layout.sequenceAt();
        // With sequence fields, rows of one key are ordered by these first.
        bySequence = !task.schema().options().containsKey("sequence.field");
    }

    @Override
    public Rule rule() {
        return Rule.KEY_ORDER;
    }

    @Override
    public void see(InternalRow row) {
        rows++;
        if (problem != null) {
            return;
        }
        BinaryRow key = projection.apply(row);
        long sequence = row.isNullAt(sequenceAt) ? 0 : row.getLong(sequenceAt);
        if (previous != null) {
            int order = comparator.compare(previous, key);
            if (order > 0) {
                problem = "The key of row " + rows + " is smaller than the one before it.";
            } else if (order == 0 && !changelog) {
                problem = "The key of row " + rows + " is there twice.";
            } else if (order == 0 && bySequence && sequence <= previousSequence) {
                problem = "Row " + rows + " has the key of the one before it and no greater sequence number.";
            }
        }
        previous = key.copy();
        previousSequence = sequence;
    }

    @Override
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }
}
