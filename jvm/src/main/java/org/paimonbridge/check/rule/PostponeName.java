package org.paimonbridge.check.rule;

import java.util.regex.Pattern;

import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedFile;
import org.paimonbridge.check.Findings;

/** A postponed file says in its name which writer made it: compactions read files of one writer in order, and stop at other names. */
public final class PostponeName implements Check {

    // Flink takes the digits behind the first "-s-"; readers that merge take what stands before the last "-w-".
    private static final Pattern WRITER = Pattern.compile("(?:(?!-s-).)*-s-[0-9]+-.*w-.+");
    private static final int POSTPONE_BUCKET = -2;

    @Override
    public void run(CheckContext context, Findings findings) {
        for (CheckedFile file : context.newFiles()) {
            if (file.message().view().get().bucket() != POSTPONE_BUCKET) {
                continue;
            }
            findings.checked(1);
            if (!WRITER.matcher(file.name()).matches()) {
                findings.error(file, "The name does not say who wrote it, as in data--u-<user>-s-<number>-w-<uuid>-<n>.");
            }
        }
    }
}
