package org.paimonbridge.check.rule;

import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedMessage;
import org.paimonbridge.check.Findings;

/** Least capability: a message may add files and nothing else. A list of deleted files alone can empty a table. */
public final class AddOnly implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        for (CheckedMessage message : context.messages()) {
            message.view()
                    .ifPresent(
                            view -> {
                                findings.checked(1);
                                view.fileLists().forEach((name, files) -> requireEmpty(message, name, files.size(), findings));
                                view.indexFileLists().forEach((name, files) -> requireEmpty(message, name, files.size(), findings));
                            });
        }
    }

    private static void requireEmpty(CheckedMessage message, String list, int size, Findings findings) {
        if (size > 0 && !list.equals("newFiles")) {
            findings.error(message, "The message has " + size + " entries in " + list + ", but may only add new files.");
        }
    }
}
