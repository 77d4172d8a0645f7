package org.paimonbridge.check.scan;

import java.util.Optional;

import org.apache.paimon.codegen.CodeGenUtils;
import org.apache.paimon.codegen.Projection;
import org.apache.paimon.codegen.RecordComparator;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.utils.SerializationUtils;
import org.paimonbridge.check.Rule;

/** The stated keys are the smallest and the largest of the file. */
final class KeyBoundsWatch implements RowWatch {

    private final Projection projection;
    private final RecordComparator comparator;
    private final BinaryRow statedMin;
    private final BinaryRow statedMax;
    private BinaryRow min;
    private BinaryRow max;

    KeyBoundsWatch(ScanTask task, RowLayout layout) {
        projection = CodeGenUtils.newProjection(task.schema().logicalRowType(), layout.keyAt());
        comparator = CodeGenUtils.newRecordComparator(task.schema().logicalTrimmedPrimaryKeysType().getFieldTypes());
        statedMin = SerializationUtils.deserializeBinaryRow(task.view().minKey());
        statedMax = SerializationUtils.deserializeBinaryRow(task.view().maxKey());
    }

    @Override
    public Rule rule() {
        return Rule.KEY_BOUNDS;
    }

    @Override
    public void see(InternalRow row) {
        BinaryRow key = projection.apply(row);
        if (min == null || comparator.compare(key, min) < 0) {
            min = key.copy();
        }
        if (max == null || comparator.compare(key, max) > 0) {
            max = key.copy();
        }
    }

    @Override
    public Optional<String> problem() {
        if (min == null || statedMin.equals(min) && statedMax.equals(max)) {
            return Optional.empty();
        }
        String which = statedMin.equals(min) ? "largest" : "smallest";
        return Optional.of("The " + which + " key in the file is not the one that the message states.");
    }
}
