package org.paimonbridge.check.rule;

import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.Findings;
import org.paimonbridge.check.Level;

/** A rule about what is in the rows. They are read once for all such rules, at the level "full"; what metadata tells comes before. */
public final class InRows implements Check {

    private final Check metadata;

    public InRows() {
        this((context, findings) -> {});
    }

    /** {@code metadata} also runs where no row is read. */
    public InRows(Check metadata) {
        this.metadata = metadata;
    }

    @Override
    public void run(CheckContext context, Findings findings) {
        metadata.run(context, findings);
        if (context.level() == Level.FULL) {
            context.scans()
                    .forEach(
                            (file, problems) -> {
                                findings.checked(1);
                                if (problems.containsKey(findings.rule())) {
                                    findings.error(file, problems.get(findings.rule()));
                                }
                            });
        }
    }
}
