package org.paimonbridge.check.scan;

import java.io.IOException;
import java.util.Optional;

import org.apache.paimon.codegen.CodeGenUtils;
import org.apache.paimon.codegen.Projection;
import org.apache.paimon.data.InternalRow;
import org.paimonbridge.check.HashIndex;
import org.paimonbridge.check.Rule;

/** The index of a dynamic bucket knows every key: one that it does not know would be given a second bucket by the next writer. */
final class IndexWatch implements RowWatch {

    private final Projection projection;
    private final HashIndex index;
    private String unreadable;
    private long unknown;

    IndexWatch(ScanTask task, RowLayout layout) {
        projection = CodeGenUtils.newProjection(task.schema().logicalRowType(), layout.keyAt());
        index = read(task);
    }

    private HashIndex read(ScanTask task) {
        try {
            return HashIndex.read(task.fileIO(), task.indexPath().get());
        } catch (IOException e) {
            unreadable = "The index of the bucket cannot be read: " + e;
            return null;
        }
    }

    @Override
    public Rule rule() {
        return Rule.INDEX_CONTENT;
    }

    @Override
    public void see(InternalRow row) {
        if (index != null && !index.contains(projection.apply(row).hashCode())) {
            unknown++;
        }
    }

    @Override
    public Optional<String> problem() {
        if (unreadable != null) {
            return Optional.of(unreadable);
        }
        return unknown == 0 ? Optional.empty() : Optional.of("The index of the bucket does not know the keys of " + unknown + " rows.");
    }
}
