package org.paimonbridge.check;

import java.util.Random;

import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.StreamTableWrite;
import org.apache.paimon.types.RowKind;
import org.paimonbridge.release.PaimonRelease;

/** Rows for the tables of {@link TableKind}: repeated keys, all row kinds, nulls where they may be, texts longer than statistics keep. */
final class RandomRows {

    private static final int KEYS = 200;
    private static final String[] NAMES = {"", "a", "ä–€", "a name of more than sixteen letters", "zz\uDBFF\uDFFF"};

    private final Random random;

    RandomRows(long seed) {
        random = new Random(seed);
    }

    void write(FileStoreTable table, StreamTableWrite write, int rows, int partitions) throws Exception {
        boolean dynamic = PaimonRelease.bucketMode(table).equals("HASH_DYNAMIC");
        for (int i = 0; i < rows; i++) {
            GenericRow row = row(table, "p" + random.nextInt(partitions));
            if (dynamic) {
                // Any fixed assignment will do; the writer itself keeps the index.
                write.write(row, row.getInt(0) % 2);
            } else {
                write.write(row);
            }
        }
    }

    private GenericRow row(FileStoreTable table, String partition) {
        boolean keyed = !table.primaryKeys().isEmpty();
        GenericRow row = new GenericRow(6);
        row.setField(0, !keyed && random.nextInt(20) == 0 ? null : (Object) random.nextInt(KEYS));
        row.setField(1, !keyed && random.nextInt(10) == 0 ? null : BinaryString.fromString(NAMES[random.nextInt(NAMES.length)]));
        row.setField(2, random.nextInt(5) == 0 ? null : Decimal.fromUnscaledLong(random.nextInt(), 12, 2));
        row.setField(3, random.nextInt(5) == 0 ? null : Timestamp.fromMicros(random.nextInt(1_000_000_000) * 1_000L + 7));
        row.setField(4, random.nextInt(5) == 0 ? null : (Object) random.nextGaussian());
        row.setField(5, BinaryString.fromString(partition));
        if (keyed) {
            row.setRowKind(RowKind.values()[random.nextInt(4)]);
        }
        return row;
    }
}
