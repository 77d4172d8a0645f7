package org.paimonbridge.check.rule;

import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedFile;
import org.paimonbridge.check.Findings;

/** What the numbers of a file tell by themselves. */
public final class FileCounts {

    private FileCounts() {}

    /** As many rows that delete as there can be. */
    public static Check deletes() {
        return (context, findings) -> {
            boolean keyed = !context.table().primaryKeys().isEmpty();
            for (CheckedFile file : context.addedFiles()) {
                findings.checked(1);
                long deletes = file.view().deleteRowCount().orElse(0L);
                if (deletes < 0 || deletes > (keyed ? file.view().rowCount() : 0)) {
                    findings.error(file, "The message counts " + deletes + " rows that delete among " + file.view().rowCount() + ".");
                }
            }
        };
    }

    /** A range of sequence numbers that is one. */
    public static Check sequences() {
        return FileCounts::checkSequences;
    }

    private static void checkSequences(CheckContext context, Findings findings) {
        if (context.table().primaryKeys().isEmpty()) {
            return;
        }
        for (CheckedFile file : context.addedFiles()) {
            findings.checked(1);
            long min = file.view().minSequenceNumber();
            long max = file.view().maxSequenceNumber();
            if (min > max) {
                findings.error(file, "Sequence numbers cannot go from " + min + " to " + max + ".");
            }
        }
    }
}
