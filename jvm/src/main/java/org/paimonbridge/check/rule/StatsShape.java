package org.paimonbridge.check.rule;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.types.DataField;
import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedFile;
import org.paimonbridge.check.Findings;
import org.paimonbridge.verify.MalformedBytesException;
import org.paimonbridge.verify.StatsView;
import org.paimonbridge.verify.TableRows;

/** Statistics cover the columns they claim, with the right types and possible null counts. Wrong ones break readers, not commits. */
public final class StatsShape implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        for (CheckedFile file : context.addedFiles()) {
            Optional<TableSchema> schema = context.schema(file.view().schemaId());
            if (!schema.isPresent()) {
                continue; // SCHEMA_ID says so; without it the columns are unknown
            }
            findings.checked(1);
            List<DataField> key =
                    schema.get().primaryKeys().isEmpty()
                            ? Collections.<DataField>emptyList()
                            : schema.get().trimmedPrimaryKeysFields();
            check(file, "key statistics", file.view().keyStats(), key, findings);
            List<DataField> columns = valueColumns(file, schema.get(), findings);
            if (columns != null) {
                check(file, "value statistics", file.view().valueStats(), columns, findings);
            }
        }
    }

    /** The columns the value statistics must cover, or null after a finding. */
    private static List<DataField> valueColumns(CheckedFile file, TableSchema schema, Findings findings) {
        Optional<List<String>> named = file.view().valueStatsColumns();
        Optional<List<String>> names = named.isPresent() ? named : file.view().writeColumns();
        if (!names.isPresent()) {
            return schema.fields();
        }
        List<DataField> fields = new ArrayList<>();
        for (String name : names.get()) {
            int index = schema.fieldNames().indexOf(name);
            if (index < 0) {
                findings.error(file, "Statistics are given for column " + name + ", which schema " + schema.id() + " does not have.");
                return null;
            }
            fields.add(schema.fields().get(index));
        }
        return fields;
    }

    private static void check(CheckedFile file, String what, StatsView stats, List<DataField> columns, Findings findings) {
        TableRows rows = TableRows.ofBounds(columns);
        try {
            rows.verify(stats.minValues());
            rows.verify(stats.maxValues());
        } catch (MalformedBytesException e) {
            findings.error(file, "The " + what + " do not fit their " + columns.size() + " columns: " + e.getMessage());
        }
        if (stats.nullCounts().size() != columns.size()) {
            findings.error(
                    file, "The " + what + " have " + stats.nullCounts().size() + " null counts for " + columns.size() + " columns.");
        }
        for (Long count : stats.nullCounts()) {
            if (count != null && (count < 0 || count > file.view().rowCount())) {
                findings.error(file, "The " + what + " count " + count + " nulls in " + file.view().rowCount() + " rows.");
            }
        }
    }
}
