package org.paimonbridge.check.scan;

import java.util.Objects;
import java.util.Optional;

import org.apache.paimon.data.InternalRow;
import org.apache.paimon.types.DataType;
import org.paimonbridge.check.Rule;

/** The copy of the key that stands in front of the columns is the key in the columns: some readers take the one, some the other. */
final class KeyColumnsWatch implements RowWatch {

    private final InternalRow.FieldGetter[] copies;
    private final InternalRow.FieldGetter[] originals;
    private long different;

    KeyColumnsWatch(RowLayout layout) {
        int[] keyAt = layout.keyAt();
        copies = new InternalRow.FieldGetter[keyAt.length];
        originals = new InternalRow.FieldGetter[keyAt.length];
        for (int i = 0; i < keyAt.length; i++) {
            DataType type = layout.columns().get(keyAt[i]).type().copy(true);
            copies[i] = InternalRow.createFieldGetter(type, layout.firstKeyColumnAt() + i);
            originals[i] = InternalRow.createFieldGetter(type, keyAt[i]);
        }
    }

    @Override
    public Rule rule() {
        return Rule.KEY_COLUMNS;
    }

    @Override
    public void see(InternalRow row) {
        for (int i = 0; i < copies.length; i++) {
            if (!Objects.deepEquals(copies[i].getFieldOrNull(row), originals[i].getFieldOrNull(row))) {
                different++;
                return;
            }
        }
    }

    @Override
    public Optional<String> problem() {
        return different == 0 ? Optional.empty() : Optional.of(different + " rows have another key in their _KEY_ columns.");
    }
}
