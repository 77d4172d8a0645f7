package org.paimonbridge.check;

import static org.junit.Assert.assertEquals;
import static org.paimonbridge.Warehouse.envelope;
import static org.paimonbridge.Warehouse.row;
import static org.paimonbridge.check.GateTest.pass;
import static org.paimonbridge.check.GateTest.texts;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataTypes;
import org.junit.Test;
import org.paimonbridge.Warehouse;

/** What Paimon Java itself writes passes the gate, whatever the table looks like. */
public class NoFalseAlarmTest {

    @org.junit.Rule public final Warehouse warehouse = new Warehouse();

    @Test
    public void whatPaimonWritesPassesAtEveryLevelForEveryKindOfTable() throws Exception {
        List<FileStoreTable> tables = new ArrayList<>();
        tables.add(warehouse.append());
        tables.add(warehouse.partitioned());
        tables.add(warehouse.primaryKey());
        for (FileStoreTable table : tables) {
            String[] texts = table.partitionKeys().isEmpty() ? new String[] {"x"} : new String[] {"x", "2024-05-01"};
            List<byte[]> messages = warehouse.write(table, row(1, texts), row(2, texts), row(3, texts));
            for (Level level : Level.values()) {
                Gate gate = pass(table, level, envelope(table, messages));
                assertEquals(table.name(), Collections.emptyList(), texts(gate));
                assertEquals(3, gate.report().rows());
            }
        }
    }

    @Test
    public void formatsAndStatisticsOfEveryKindPass() throws Exception {
        int number = 0;
        for (String format : new String[] {"parquet", "orc", "avro"}) {
            for (String stats : new String[] {"none", "counts", "truncate(16)", "full"}) {
                for (String dense : new String[] {"true", "false"}) {
                    FileStoreTable table =
                            warehouse.create(
                                    "db.t" + number++,
                                    Schema.newBuilder()
                                            .column("id", DataTypes.INT())
                                            .column("name", DataTypes.STRING())
                                            .option("file.format", format)
                                            .option("metadata.stats-mode", stats)
                                            .option("metadata.stats-dense-store", dense)
                                            .build());
                    List<byte[]> messages = warehouse.write(table, row(1, "a name of more than sixteen letters"), row(2, "b"));
                    assertEquals(
                            format + " " + stats + " " + dense,
                            Collections.emptyList(),
                            texts(pass(table, Level.FULL, envelope(table, messages))));
                }
            }
        }
    }

    @Test
    public void partitionsWithOddValuesPass() throws Exception {
        FileStoreTable table = warehouse.partitioned();
        GenericRow nothing = row(1, "x", "");
        nothing.setField(2, null);
        List<byte[]> messages =
                warehouse.write(table, nothing, row(2, "x", ""), row(3, "x", "a/b c:d%=é"), row(4, "x", "a value of many bytes"));
        assertEquals(4, messages.size());
        assertEquals(Collections.emptyList(), texts(pass(table, Level.FULL, envelope(table, messages))));
    }

    @Test
    public void partitionsOfEveryTypeAndTheirNullsPass() throws Exception {
        FileStoreTable table =
                warehouse.create(
                        "db.t",
                        Schema.newBuilder()
                                .column("a", DataTypes.BOOLEAN())
                                .column("b", DataTypes.DATE())
                                .column("c", DataTypes.DECIMAL(10, 2))
                                .column("d", DataTypes.DECIMAL(20, 2))
                                .column("e", DataTypes.TIMESTAMP(3))
                                .column("f", DataTypes.TIMESTAMP(6))
                                .column("g", DataTypes.STRING())
                                .column("h", DataTypes.TIMESTAMP_WITH_LOCAL_TIME_ZONE(6))
                                .column("i", DataTypes.ARRAY(DataTypes.INT()))
                                .partitionKeys("a", "b", "c", "d", "e", "f", "g")
                                .option("metadata.stats-mode", "full")
                                .build());
        GenericRow values =
                GenericRow.of(
                        true,
                        19724,
                        Decimal.fromUnscaledLong(-123, 10, 2),
                        Decimal.fromBigDecimal(new BigDecimal("-123456789012345678.12"), 20, 2),
                        Timestamp.fromEpochMillis(1),
                        Timestamp.fromEpochMillis(1, 2000),
                        BinaryString.fromString("a longer text"),
                        Timestamp.fromEpochMillis(1, 2000),
                        null);
        List<byte[]> messages = warehouse.write(table, values, new GenericRow(9));
        assertEquals(2, messages.size());
        assertEquals(Collections.emptyList(), texts(pass(table, Level.FULL, envelope(table, messages))));
    }

    @Test
    public void fileIndexesBesideTheDataPass() throws Exception {
        FileStoreTable table =
                warehouse.append("file-index.bloom-filter.columns", "name", "file-index.in-manifest-threshold", "1 b");
        List<byte[]> messages = warehouse.write(table, row(1, "x"));
        Gate gate = pass(table, Level.FULL, envelope(table, messages));
        assertEquals(Collections.emptyList(), texts(gate));
        assertEquals(1, gate.messages().get(0).newFiles().get(0).extraPaths().size());
    }
}
