package org.paimonbridge.check.rule;

import java.util.List;

import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedFile;
import org.paimonbridge.check.CheckedMessage;
import org.paimonbridge.check.Findings;

/** Where writers make the changelog, it comes with the data and covers it: whoever follows changes reads nothing else. */
public final class ChangelogComplete implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        // An overwrite has no changelog; Paimon drops it.
        if (context.replacing() || !AddOnly.writersMakeChangelog(context.table())) {
            return;
        }
        for (CheckedMessage message : context.messages()) {
            boolean postponed = message.view().map(view -> view.bucket() < 0).orElse(true);
            if (!postponed) {
                findings.checked(1);
                check(message, findings);
            }
        }
    }

    private static void check(CheckedMessage message, Findings findings) {
        long rows = rows(message.newFiles());
        long changes = rows(message.changelogFiles());
        if (changes < rows) {
            findings.error(message, "The data has " + rows + " rows, the changelog only " + changes + ": it holds every row that came in.");
            return;
        }
        if (message.newFiles().isEmpty() && changes > 0) {
            findings.error(message, "The message brings a changelog, but no data.");
            return;
        }
        for (CheckedFile file : message.newFiles()) {
            long from = file.view().minSequenceNumber();
            long to = file.view().maxSequenceNumber();
            if (!covers(message.changelogFiles(), from) || !covers(message.changelogFiles(), to)) {
                findings.error(file, "Its sequence numbers " + from + " to " + to + " are not in the changelog of the message.");
            }
        }
    }

    private static boolean covers(List<CheckedFile> changelog, long number) {
        return changelog.stream()
                .anyMatch(file -> file.view().minSequenceNumber() <= number && number <= file.view().maxSequenceNumber());
    }

    private static long rows(List<CheckedFile> files) {
        return files.stream().mapToLong(file -> file.view().rowCount()).sum();
    }
}
