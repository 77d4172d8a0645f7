package org.paimonbridge.commit;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataTypeRoot;

/** Partitions for people, such as {@code dt=2026-06-26/hr=7}. Paths are no help here: they name a date by its day number. */
final class PartitionText {

    private final List<DataField> fields;
    private final List<InternalRow.FieldGetter> getters = new ArrayList<>();

    PartitionText(FileStoreTable table) {
        this.fields = table.schema().logicalPartitionType().getFields();
        for (int i = 0; i < fields.size(); i++) {
            getters.add(InternalRow.createFieldGetter(fields.get(i).type(), i));
        }
    }

    /** Empty for a table without partitions. */
    String of(BinaryRow partition) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < fields.size(); i++) {
            Object value = getters.get(i).getFieldOrNull(partition);
            boolean date = value != null && fields.get(i).type().getTypeRoot() == DataTypeRoot.DATE;
            text.append(i == 0 ? "" : "/").append(fields.get(i).name()).append('=');
            text.append(date ? LocalDate.ofEpochDay((Integer) value) : value);
        }
        return text.toString();
    }
}
