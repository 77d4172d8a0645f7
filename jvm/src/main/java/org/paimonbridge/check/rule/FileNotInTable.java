package org.paimonbridge.check.rule;

import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedFile;
import org.paimonbridge.check.Findings;

/** No file is in the table already: that is a message committed before, perhaps under another identity. */
public final class FileNotInTable implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        for (CheckedFile file : context.newFiles()) {
            file.message()
                    .partition()
                    .ifPresent(
                            partition -> {
                                findings.checked(1);
                                int bucket = file.message().view().get().bucket();
                                if (context.live().contains(partition, bucket, file.name())) {
                                    findings.error(file, "The table holds this file already.");
                                }
                            });
        }
    }
}
