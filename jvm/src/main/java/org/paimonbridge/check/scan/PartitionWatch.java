package org.paimonbridge.check.scan;

import java.util.Optional;

import org.apache.paimon.codegen.CodeGenUtils;
import org.apache.paimon.codegen.Projection;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalRow;
import org.paimonbridge.check.Rule;

/** Every row belongs to the partition of its message. Readers never look: they return the message's value. */
final class PartitionWatch implements RowWatch {

    private final Projection projection;
    private final BinaryRow partition;
    private long strangers;

    PartitionWatch(ScanTask task) {
        projection = CodeGenUtils.newProjection(task.schema().logicalRowType(), task.schema().partitionKeys());
        partition = task.partition();
    }

    @Override
    public Rule rule() {
        return Rule.ROW_PARTITION;
    }

    @Override
    public void see(InternalRow row) {
        if (partition.getFieldCount() > 0 && !projection.apply(row).equals(partition)) {
            strangers++;
        }
    }

    @Override
    public Optional<String> problem() {
        return strangers == 0 ? Optional.empty() : Optional.of(strangers + " rows have other partition values than their message.");
    }
}
