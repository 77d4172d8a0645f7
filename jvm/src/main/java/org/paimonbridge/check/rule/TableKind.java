package org.paimonbridge.check.rule;

import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.Findings;
import org.paimonbridge.release.PaimonRelease;

/** The table is of a kind whose messages can be judged. Where a key may move between partitions, no message tells whether it did. */
public final class TableKind implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        findings.checked(1);
        if (PaimonRelease.bucketMode(context.table()).equals("CROSS_PARTITION") && !context.messages().isEmpty()) {
            findings.error(
                    "The primary key does not contain the partition keys: a new row may replace one in another partition, which only a "
                            + "writer that knows all keys of the table can delete.",
                    "table " + context.table().fullName());
        }
    }
}
