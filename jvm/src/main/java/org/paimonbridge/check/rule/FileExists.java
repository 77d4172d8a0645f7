package org.paimonbridge.check.rule;

import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.Findings;

/** Every new file, and every extra file beside it, is there. */
public final class FileExists implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        context.probes()
                .forEach(
                        (file, probe) -> {
                            findings.checked(1 + file.extraPaths().size());
                            if (!probe.present()) {
                                findings.error(file, "The file " + probe.problem() + ".");
                            }
                            probe.missingExtras()
                                    .forEach(extra -> findings.error(file, "Its extra file " + extra.getName() + " does not exist."));
                        });
    }
}
