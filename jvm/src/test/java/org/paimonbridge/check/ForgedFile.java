package org.paimonbridge.check;

import java.io.File;
import java.util.ArrayList;
import java.util.List;

import org.apache.paimon.CoreOptions;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.format.FileFormatDiscover;
import org.apache.paimon.format.FormatWriter;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;
import org.paimonbridge.MessageBytes;
import org.paimonbridge.Warehouse;

/** Puts other rows into a file that a message names, and corrects the size in the message: only the rows are wrong then. */
final class ForgedFile {

    private static final int SIZE = 1;

    private final List<DataField> fields = new ArrayList<>();
    private final List<GenericRow> rows = new ArrayList<>();

    /** The columns of a key-value file with the key {@code id}. */
    static ForgedFile keyed() {
        return new ForgedFile()
                .column("_KEY_id", DataTypes.INT())
                .column("_SEQUENCE_NUMBER", DataTypes.BIGINT())
                .column("_VALUE_KIND", DataTypes.TINYINT())
                .column("id", DataTypes.INT())
                .column("name", DataTypes.STRING());
    }

    ForgedFile column(String name, DataType type) {
        fields.add(new DataField(fields.size(), name, type));
        return this;
    }

    ForgedFile row(Object... values) {
        GenericRow row = new GenericRow(values.length);
        for (int i = 0; i < values.length; i++) {
            row.setField(i, values[i] instanceof String ? BinaryString.fromString((String) values[i]) : values[i]);
        }
        rows.add(row);
        return this;
    }

    ForgedFile keyedRow(int copy, long sequence, int kind, int id) {
        return row(copy, sequence, (byte) kind, id, "x");
    }

    byte[] replace(Warehouse warehouse, FileStoreTable table, byte[] message) throws Exception {
        File file = find(warehouse, new MessageBytes(message).name());
        Path path = new Path(file.toURI());
        try (PositionOutputStream out = table.fileIO().newOutputStream(path, true);
                FormatWriter writer =
                        FileFormatDiscover.of(new CoreOptions(table.options()))
                                .discover("parquet")
                                .createWriterFactory(new RowType(fields))
                                .create(out, "zstd")) {
            for (GenericRow row : rows) {
                writer.addElement(row);
            }
        }
        return new MessageBytes(message).number(SIZE, file.length()).bytes();
    }

    static File find(Warehouse warehouse, String name) {
        String path = warehouse.files().stream().filter(file -> file.endsWith(name)).findFirst().get();
        return new File(warehouse.getRoot(), path);
    }
}
