package org.paimonbridge.check.rule;

import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.Findings;

/**
 * The row count is that of the Parquet footer. ORC and Avro files are not looked into here: ORC keeps its count behind a compressed
 * footer and Avro has none, so theirs are proved by FILE_READS, at the level "full".
 */
public final class FileRowCount implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        context.probes()
                .forEach(
                        (file, probe) -> {
                            if (probe.footerProblem() != null) {
                                findings.checked(1);
                                findings.error(file, "The Parquet footer cannot be read: " + probe.footerProblem() + ".");
                            } else if (probe.footerRows().isPresent()) {
                                findings.checked(1);
                                long actual = probe.footerRows().getAsLong();
                                if (actual != file.view().rowCount()) {
                                    findings.error(
                                            file, "The message says " + file.view().rowCount() + " rows, the file has " + actual + ".");
                                }
                            }
                        });
    }
}
