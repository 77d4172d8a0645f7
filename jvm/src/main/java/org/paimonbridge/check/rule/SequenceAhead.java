package org.paimonbridge.check.rule;

import java.util.OptionalLong;

import org.apache.paimon.table.FileStoreTable;
import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedFile;
import org.paimonbridge.check.Findings;
import org.paimonbridge.release.PaimonRelease;

/** New rows are numbered behind those in their bucket: of two versions of a key, the one with the greater number is the newer. */
public final class SequenceAhead implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        if (context.replacing() || !numbersDecide(context.table())) {
            return;
        }
        for (CheckedFile file : context.newFiles()) {
            int bucket = file.message().view().get().bucket();
            if (!file.message().partition().isPresent() || bucket < 0) {
                continue;
            }
            findings.checked(1);
            OptionalLong live = context.live().maxSequence(file.message().partition().get(), bucket);
            if (live.isPresent() && file.view().minSequenceNumber() <= live.getAsLong()) {
                findings.error(
                        file,
                        "Sequence numbers start at " + file.view().minSequenceNumber() + ", but the bucket holds rows up to "
                                + live.getAsLong() + ": another writer came in between, or the writer did not look.");
            }
        }
    }

    /** Whether the table tells newer from older rows by these numbers, and they are the writer's to give. */
    static boolean numbersDecide(FileStoreTable table) {
        if (isTrue(table, "sequence.snapshot-ordering") || table.options().containsKey("sequence.field")) {
            return false;
        }
        if (table.primaryKeys().isEmpty()) {
            boolean ordered = !"false".equals(table.options().get("bucket-append-ordered"));
            return PaimonRelease.bucketMode(table).equals("HASH_FIXED") && ordered;
        }
        return true;
    }

    private static boolean isTrue(FileStoreTable table, String option) {
        return Boolean.parseBoolean(table.options().getOrDefault(option, "false"));
    }
}
