package org.paimonbridge.check.rule;

import java.util.HashSet;
import java.util.Set;

import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedFile;
import org.paimonbridge.check.FileKey;
import org.paimonbridge.check.Findings;

/** No file is in the table already: that is a message committed before, perhaps under another identity. */
public final class FileNotInTable implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        Set<String> live = new HashSet<>();
        context.liveFiles().forEach(entry -> live.add(FileKey.of(entry.partition(), entry.bucket(), entry.fileName())));
        for (CheckedFile file : context.newFiles()) {
            file.message()
                    .partition()
                    .ifPresent(
                            partition -> {
                                findings.checked(1);
                                int bucket = file.message().view().get().bucket();
                                if (live.contains(FileKey.of(partition, bucket, file.name()))) {
                                    findings.error(file, "The table holds this file already.");
                                }
                            });
        }
    }
}
