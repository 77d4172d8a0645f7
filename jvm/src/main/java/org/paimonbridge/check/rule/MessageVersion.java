package org.paimonbridge.check.rule;

import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.Findings;
import org.paimonbridge.release.PaimonRelease;

/** The messages have the version that the attached Paimon writes. It decodes any number it is given, 99 too, as if it were its own. */
public final class MessageVersion implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        int spoken = PaimonRelease.messageVersion();
        findings.checked(context.messages().size());
        // The envelopes of a call agree on the version, so one finding says it all.
        context.envelopes().stream()
                .map(envelope -> envelope.messageVersion())
                .distinct()
                .filter(version -> version != spoken)
                .forEach(
                        version ->
                                findings.error(
                                        "The messages are version " + version + ", but Paimon " + PaimonRelease.version()
                                                + " on this driver speaks " + spoken + ".",
                                        "all " + context.messages().size() + " messages"));
    }
}
