package org.paimonbridge.check.scan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.predicate.CompareUtils;
import org.apache.paimon.types.DataField;
import org.apache.paimon.utils.SerializationUtils;
import org.paimonbridge.check.Rule;
import org.paimonbridge.verify.StatsView;

/** Holds every value against the bounds of its column, and counts nulls. Bounds may be wider than the data, never narrower. */
final class StatsWatch implements RowWatch {

    private final List<Column> columns = new ArrayList<>();

    StatsWatch(ScanTask task, RowLayout layout) {
        List<String> names = new ArrayList<>();
        layout.columns().forEach(field -> names.add(field.name()));
        add(task.view().valueStats(), task.view().valueStatsColumns().orElse(names), names, layout.columns(), "");
        if (layout.keyed()) {
            add(task.view().keyStats(), task.schema().trimmedPrimaryKeys(), names, layout.columns(), "key ");
        }
    }

    private void add(StatsView stats, List<String> covered, List<String> names, List<DataField> fields, String kind) {
        BinaryRow min = SerializationUtils.deserializeBinaryRow(stats.minValues());
        BinaryRow max = SerializationUtils.deserializeBinaryRow(stats.maxValues());
        for (int i = 0; i < covered.size() && i < min.getFieldCount(); i++) {
            int at = names.indexOf(covered.get(i));
            if (at >= 0) {
                InternalRow.FieldGetter bound = InternalRow.createFieldGetter(fields.get(at).type().copy(true), i);
                columns.add(
                        new Column(fields.get(at), at, kind, bound.getFieldOrNull(min), bound.getFieldOrNull(max), stats.nullCounts().get(i)));
            }
        }
    }

    @Override
    public Rule rule() {
        return Rule.STATS_TRUE;
    }

    @Override
    public void see(InternalRow row) {
        for (Column column : columns) {
            column.see(row);
        }
    }

    @Override
    public Optional<String> problem() {
        for (Column column : columns) {
            if (column.outside > 0) {
                return Optional.of(
                        "The " + column.kind + "statistics of " + column.field.name() + " leave out " + column.outside + " values.");
            }
            if (column.statedNulls != null && column.statedNulls != column.nulls) {
                return Optional.of(
                        "The " + column.kind + "statistics of " + column.field.name() + " count " + column.statedNulls + " nulls, there are "
                                + column.nulls + ".");
            }
        }
        return Optional.empty();
    }

    private static final class Column {
        private final DataField field;
        private final InternalRow.FieldGetter getter;
        private final String kind;
        private final Object min;
        private final Object max;
        private final Long statedNulls;
        private long nulls;
        private long outside;

        Column(DataField field, int at, String kind, Object min, Object max, Long statedNulls) {
            this.field = field;
            this.getter = InternalRow.createFieldGetter(field.type().copy(true), at);
            this.kind = kind;
            this.min = min;
            this.max = max;
            this.statedNulls = statedNulls;
        }

        void see(InternalRow row) {
            if (min == null && max == null && statedNulls == null) {
                return;
            }
            Object value = getter.getFieldOrNull(row);
            if (value == null) {
                nulls++;
            } else if (min != null && CompareUtils.compareLiteral(field.type(), value, min) < 0
                    || max != null && CompareUtils.compareLiteral(field.type(), value, max) > 0) {
                outside++;
            }
        }
    }
}
