package org.paimonbridge.check.rule;

import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.Findings;
import org.paimonbridge.envelope.Envelope;

/** The messages were written for this very table, not for another one or for a table of the same name that was dropped since. */
public final class TableIdentity implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        String tableId = context.table().uuid();
        findings.checked(context.envelopes().size());
        // The envelopes of a call agree on the table.
        context.envelopes().stream()
                .filter(envelope -> !envelope.tableId().equals(tableId))
                .findFirst()
                .ifPresent(envelope -> findings.error(text(envelope, tableId), "all " + context.messages().size() + " messages"));
    }

    private static String text(Envelope envelope, String tableId) {
        return "The messages were written for table " + envelope.table() + " with the id " + envelope.tableId() + ", this one has "
                + tableId + ".";
    }
}
