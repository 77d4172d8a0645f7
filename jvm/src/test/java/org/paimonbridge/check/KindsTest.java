package org.paimonbridge.check;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.paimonbridge.Warehouse.envelope;
import static org.paimonbridge.check.GateTest.pass;
import static org.paimonbridge.check.GateTest.texts;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.apache.paimon.disk.IOManager;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageSerializer;
import org.apache.paimon.table.sink.StreamTableWrite;
import org.apache.paimon.table.sink.TableCommitImpl;
import org.junit.Test;
import org.paimonbridge.Warehouse;

/**
 * Messages of Paimon's own writers pass at every level, for every kind of table, on top of what was committed before.
 * {@code -PjavaMessages=10000} makes this a long test; that many messages are made in all.
 */
public class KindsTest {

    private static final int MESSAGES = Integer.getInteger("paimonbridge.javaMessages", 100);

    @org.junit.Rule public final Warehouse warehouse = new Warehouse();

    @Test
    public void whatPaimonWritesPassesForEveryKindOfTable() throws Exception {
        List<TableKind> kinds = TableKind.all();
        int passed = 0;
        for (TableKind kind : kinds) {
            FileStoreTable table = kind.create(warehouse);
            int wanted = MESSAGES / kinds.size() + 1;
            for (int round = 0, made = 0; made < wanted; round++) {
                int more = round(kind, table, round);
                made += more;
                passed += more;
            }
        }
        assertTrue(passed + " messages", passed >= MESSAGES);
    }

    /** One writer, three times prepared: each time the messages pass, and are committed by Paimon alone. */
    private int round(TableKind kind, FileStoreTable table, int round) throws Exception {
        int made = 0;
        RandomRows rows = new RandomRows(31L * kind.toString().hashCode() + round);
        String user = "java-" + round;
        try (StreamTableWrite write = table.newStreamWriteBuilder().withCommitUser(user).newWrite();
                TableCommitImpl commit = table.newCommit(user);
                IOManager spill = IOManager.create(warehouse.newFolder().getPath())) {
            write.withIOManager(spill);
            for (int part = 1; part <= 3; part++) {
                rows.write(table, write, 40 * part, 4);
                List<CommitMessage> messages = write.prepareCommit(true, part);
                List<byte[]> bytes = new ArrayList<>();
                for (CommitMessage message : messages) {
                    bytes.add(new CommitMessageSerializer().serialize(message));
                }
                for (Level level : new Level[] {Level.FAST, Level.FULL}) {
                    Gate gate = pass(table, level, envelope(table, bytes).commitUser(user));
                    assertEquals(kind + ", round " + round, Collections.emptyList(), texts(gate));
                }
                made += messages.size();
                commit.commit(part, messages);
            }
        }
        return made;
    }
}
