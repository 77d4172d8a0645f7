package org.paimonbridge.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.apache.paimon.shade.org.apache.parquet.format.SchemaElement;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataTypes;

/** The columns of a Parquet file, held against the columns that its schema asks for: names exactly, types as Paimon reads them. */
public final class ParquetColumns {

    private final Map<String, ParquetNode> columns = new HashMap<>();

    ParquetColumns(List<SchemaElement> elements) {
        for (ParquetNode node : ParquetNode.root(elements).children()) {
            columns.put(node.name(), node);
        }
    }

    public boolean has(String column) {
        return columns.containsKey(column);
    }

    /** What is wrong, column by column. */
    public List<String> problems(List<DataField> expected, boolean keyed) {
        List<String> problems = new ArrayList<>();
        for (DataField field : expected) {
            check(field, problems);
        }
        if (keyed) {
            check(new DataField(0, "_SEQUENCE_NUMBER", DataTypes.BIGINT()), problems);
            check(new DataField(0, "_VALUE_KIND", DataTypes.TINYINT()), problems);
        }
        return problems;
    }

    /** Columns that may not hold nulls, but could: their nulls must be counted. */
    public List<String> looselyRequired(List<DataField> expected) {
        List<String> names = new ArrayList<>();
        for (DataField field : expected) {
            ParquetNode node = columns.get(field.name());
            if (!field.type().isNullable() && node != null && node.optional()) {
                names.add(field.name());
            }
        }
        return names;
    }

    private void check(DataField field, List<String> problems) {
        ParquetNode node = columns.get(field.name());
        if (node == null) {
            problems.add("It has no column " + field.name() + ".");
            return;
        }
        Optional<String> mismatch = ParquetTypes.mismatch(field.type(), node);
        mismatch.ifPresent(found -> problems.add("Column " + field.name() + " is " + found + ", which is not " + field.type() + "."));
    }
}
