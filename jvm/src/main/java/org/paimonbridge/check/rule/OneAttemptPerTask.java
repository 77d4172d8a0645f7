package org.paimonbridge.check.rule;

import java.util.HashMap;
import java.util.Map;

import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.Findings;
import org.paimonbridge.envelope.Envelope;

/** Spark may run a task more than once; two attempts of one task hold the same rows in different files. */
public final class OneAttemptPerTask implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        Map<String, Envelope> first = new HashMap<>();
        for (Envelope envelope : context.envelopes()) {
            if (envelope.foreign() || envelope.task() < 0) {
                continue;
            }
            findings.checked(1);
            Envelope earlier = first.putIfAbsent(envelope.runId() + "/" + envelope.task(), envelope);
            if (earlier != null) {
                findings.error(
                        earlier.attempt() == envelope.attempt()
                                ? "The same attempt of a task is there twice."
                                : "Two attempts of one task are there: " + earlier.attempt() + " and " + envelope.attempt() + ".",
                        "task " + envelope.task() + " of run " + envelope.runId());
            }
        }
    }
}
