package org.paimonbridge.check.rule;

import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.Findings;

/** The size is exact: Paimon looks for the footer where the message says the file ends. */
public final class FileSize implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        context.probes()
                .forEach(
                        (file, probe) -> {
                            if (probe.present()) {
                                findings.checked(1);
                                long actual = probe.length().getAsLong();
                                if (actual != file.view().size()) {
                                    findings.error(
                                            file, "The message says " + file.view().size() + " bytes, the file has " + actual + ".");
                                }
                            }
                        });
    }
}
