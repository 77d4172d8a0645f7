package org.paimonbridge.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.apache.paimon.table.FileStoreTable;
import org.paimonbridge.envelope.Envelope;
import org.paimonbridge.report.ConformanceReport;

/** Runs the rules of a level over the messages of one call. What it lets through may be committed, nothing else. */
public final class Gate {

    private final List<CheckedMessage> messages;
    private final ConformanceReport report;

    private Gate(List<CheckedMessage> messages, ConformanceReport report) {
        this.messages = messages;
        this.report = report;
    }

    public static Gate pass(String tableName, FileStoreTable table, List<Envelope> envelopes, Level level) {
        return pass(tableName, table, envelopes, level, Intent.APPEND);
    }

    public static Gate pass(String tableName, FileStoreTable table, List<Envelope> envelopes, Level level, Intent intent) {
        long start = System.nanoTime();
        CheckContext context = new CheckContext(table, envelopes, level, intent);
        List<Findings> results = new ArrayList<>();
        for (Map.Entry<Rule, Check> entry : Checks.BY_RULE.entrySet()) {
            if (entry.getKey().level().compareTo(level) <= 0) {
                results.add(run(entry.getKey(), entry.getValue(), context));
            }
        }
        long millis = (System.nanoTime() - start) / 1_000_000;
        return new Gate(context.messages(), new ConformanceReport(tableName, level, context, results, millis));
    }

    private static Findings run(Rule rule, Check check, CheckContext context) {
        Findings findings = new Findings(rule);
        long start = System.nanoTime();
        check.run(context, findings);
        findings.took((System.nanoTime() - start) / 1_000_000);
        return findings;
    }

    public List<CheckedMessage> messages() {
        return messages;
    }

    public ConformanceReport report() {
        return report;
    }
}
