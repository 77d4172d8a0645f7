package org.paimonbridge.check.scan;

import java.util.List;
import java.util.Optional;

import org.apache.paimon.data.InternalRow;
import org.apache.paimon.types.DataField;
import org.paimonbridge.check.Rule;

/** Counts nulls in columns that have none. */
final class NotNullWatch implements RowWatch {

    private final List<DataField> columns;
    private final int[] required;
    private final long[] nulls;

    NotNullWatch(RowLayout layout) {
        columns = layout.columns();
        required = java.util.stream.IntStream.range(0, columns.size()).filter(i -> !columns.get(i).type().isNullable()).toArray();
        nulls = new long[columns.size()];
    }

    @Override
    public Rule rule() {
        return Rule.NOT_NULL;
    }

    @Override
    public void see(InternalRow row) {
        for (int column : required) {
            if (row.isNullAt(column)) {
                nulls[column]++;
            }
        }
    }

    @Override
    public Optional<String> problem() {
        for (int column : required) {
            if (nulls[column] > 0) {
                return Optional.of("Column " + columns.get(column).name() + " is NOT NULL and is null in " + nulls[column] + " rows.");
            }
        }
        return Optional.empty();
    }
}
