package org.paimonbridge.check.scan;

import java.util.Optional;

import org.apache.paimon.data.InternalRow;
import org.paimonbridge.check.Rule;

/** Counts the rows that take something back. Where none are stated, Paimon may read a file without looking at kinds. */
final class DeleteCountWatch implements RowWatch {

    private static final int UPDATE_BEFORE = 1;
    private static final int DELETE = 3;

    private final int at;
    private final Optional<Long> stated;
    private long deletes;

    DeleteCountWatch(ScanTask task, RowLayout layout) {
        at = layout.kindAt();
        stated = task.view().deleteRowCount();
    }

    @Override
    public Rule rule() {
        return Rule.DELETE_COUNT;
    }

    @Override
    public void see(InternalRow row) {
        if (!row.isNullAt(at) && (row.getByte(at) == UPDATE_BEFORE || row.getByte(at) == DELETE)) {
            deletes++;
        }
    }

    @Override
    public Optional<String> problem() {
        return !stated.isPresent() || stated.get() == deletes
                ? Optional.empty()
                : Optional.of("The message counts " + stated.get() + " rows that delete, the file has " + deletes + ".");
    }
}
