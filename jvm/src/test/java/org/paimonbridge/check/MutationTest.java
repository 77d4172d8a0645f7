package org.paimonbridge.check;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageSerializer;
import org.apache.paimon.table.sink.TableCommitImpl;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.paimonbridge.Warehouse;
import org.paimonbridge.envelope.EnvelopeReader;

/**
 * Every rule is needed and does its work: messages with exactly one thing wrong are refused by its name and nothing in the warehouse
 * changes, while Paimon's own commit takes the same messages, except where an attempt says that Paimon refuses them too.
 */
@RunWith(Parameterized.class)
public class MutationTest {

    @org.junit.Rule public final Warehouse warehouse = new Warehouse();

    @Parameterized.Parameters(name = "{0}")
    public static List<Rule> rules() {
        List<Rule> rules = new ArrayList<>(Arrays.asList(Rule.values()));
        // A second look behind the verifier, of which no message is known that passes the first: GateTest shows that it can say no.
        rules.remove(Rule.RESERIALIZES_IDENTICALLY);
        return rules;
    }

    private final Rule rule;

    public MutationTest(Rule rule) {
        this.rule = rule;
    }

    @Test
    public void theRuleRefusesWhatPaimonTakes() throws Exception {
        assertNotNull("no mutation breaks " + rule, Mutations.BY_RULE.get(rule));
        assumeTrue("not in this release", Mutations.exists(rule));
        Attempt attempt = Mutations.BY_RULE.get(rule).make(warehouse);
        List<String> before = warehouse.files();
        // The message alone is seen at every level; rows are seen at full only.
        Level level = rule.level() == Level.OFF ? Level.OFF : Level.FULL;
        Gate gate = Gate.pass(attempt.table.fullName(), attempt.table, EnvelopeReader.readAll(attempt.blob), level);
        Set<Rule> found = EnumSet.noneOf(Rule.class);
        gate.report().findings().forEach(finding -> found.add(finding.rule()));
        assertTrue(GateTest.texts(gate).toString(), found.contains(rule));
        assertEquals(GateTest.texts(gate).toString(), EnumSet.of(rule), withoutConsequences(found));
        assertEquals(before, warehouse.files());
        assertEquals("Paimon alone", attempt.paimonRefuses, refusedByPaimon(attempt));
    }

    /** A file that cannot be read, or not be found, breaks what is read from it too. */
    private Set<Rule> withoutConsequences(Set<Rule> found) {
        Set<Rule> own = EnumSet.copyOf(found);
        if (EnumSet.of(Rule.FILE_SIZE, Rule.FILE_ROW_COUNT).contains(rule)) {
            own.remove(Rule.FILE_READS);
        }
        if (rule == Rule.INDEX_FILE) {
            own.remove(Rule.INDEX_CONTENT);
        }
        if (rule == Rule.BUCKET) {
            own.remove(Rule.ROW_BUCKET);
        }
        return own;
    }

    private static boolean refusedByPaimon(Attempt attempt) {
        try {
            commit(attempt.table, "paimon-alone", attempt.version, attempt.messages);
            return false;
        } catch (Exception e) {
            return true;
        }
    }

    /** Paimon's own commit, without any gate. */
    static void commit(FileStoreTable table, String user, int version, List<byte[]> messages) throws Exception {
        List<CommitMessage> decoded = new ArrayList<>();
        for (byte[] message : messages) {
            decoded.add(new CommitMessageSerializer().deserialize(version, message));
        }
        try (TableCommitImpl commit = table.newCommit(user)) {
            commit.commit(1, decoded);
        }
    }
}
