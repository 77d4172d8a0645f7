package org.paimonbridge.check.scan;

import java.util.Optional;

import org.apache.paimon.data.InternalRow;
import org.paimonbridge.check.Rule;

/** Every row has one of the four row kinds. */
final class KindWatch implements RowWatch {

    private static final int KINDS = 4;

    private final int at;
    private long unknown;

    KindWatch(RowLayout layout) {
        at = layout.kindAt();
    }

    @Override
    public Rule rule() {
        return Rule.ROW_KIND;
    }

    @Override
    public void see(InternalRow row) {
        if (row.isNullAt(at) || row.getByte(at) < 0 || row.getByte(at) >= KINDS) {
            unknown++;
        }
    }

    @Override
    public Optional<String> problem() {
        return unknown == 0 ? Optional.empty() : Optional.of(unknown + " rows have a kind that does not exist.");
    }
}
