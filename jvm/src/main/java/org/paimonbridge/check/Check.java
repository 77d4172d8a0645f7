package org.paimonbridge.check;

/** One rule at work. It looks at all messages of the call and reports everything it finds, not the first. */
@FunctionalInterface
public interface Check {

    void run(CheckContext context, Findings findings);
}
