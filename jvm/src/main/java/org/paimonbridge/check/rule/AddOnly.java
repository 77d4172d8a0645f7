package org.paimonbridge.check.rule;

import java.util.LinkedHashSet;
import java.util.Set;

import org.apache.paimon.table.FileStoreTable;
import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedMessage;
import org.paimonbridge.check.Findings;
import org.paimonbridge.release.PaimonRelease;
import org.paimonbridge.verify.IndexFileView;

/** Least capability: a message may add what a writer of this kind of table makes, nothing else. A list of deleted files can empty it. */
public final class AddOnly implements Check {

    private static final String HASH = "HASH";

    @Override
    public void run(CheckContext context, Findings findings) {
        Set<String> allowed = allowed(context.table());
        for (CheckedMessage message : context.messages()) {
            message.view()
                    .ifPresent(
                            view -> {
                                findings.checked(1);
                                view.fileLists().forEach((name, files) -> require(allowed, message, name, files.size(), findings));
                                view.indexFileLists()
                                        .forEach((name, files) -> require(allowed, message, name, files.size(), findings));
                                view.newIndexFiles().forEach(file -> requireHash(message, file, findings));
                            });
        }
    }

    /** The lists that a writer of this table fills. All others belong to compactions and deletions. */
    private static Set<String> allowed(FileStoreTable table) {
        Set<String> lists = new LinkedHashSet<>();
        lists.add("newFiles");
        if (writersMakeChangelog(table)) {
            lists.add("changelogFiles");
        }
        if (PaimonRelease.bucketMode(table).equals("HASH_DYNAMIC")) {
            lists.add("newIndexFiles");
        }
        return lists;
    }

    static boolean writersMakeChangelog(FileStoreTable table) {
        return !table.primaryKeys().isEmpty() && "input".equals(table.options().get("changelog-producer"));
    }

    private static void require(Set<String> allowed, CheckedMessage message, String list, int size, Findings findings) {
        if (size > 0 && !allowed.contains(list)) {
            findings.error(
                    message,
                    "The message has " + size + " entries in " + list + ", but may only add new files; a writer of this table fills "
                            + String.join(", ", allowed) + ".");
        }
    }

    private static void requireHash(CheckedMessage message, IndexFileView file, Findings findings) {
        if (!HASH.equals(file.type())) {
            findings.error(message, "An index file is of another type than " + HASH + ", which is all that a writer makes.");
        }
    }
}
