package org.paimonbridge.check.rule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.paimon.codegen.CodeGenUtils;
import org.apache.paimon.codegen.RecordComparator;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.utils.SerializationUtils;
import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedFile;
import org.paimonbridge.check.FileKey;
import org.paimonbridge.check.Findings;

/**
 * Files of one bucket that may share keys do not share sequence numbers: two writers of the bucket would, and no one could say who won.
 * One message is one writer's: it may lay versions of a key into several files whose ranges cross, each row with a number of its own.
 */
public final class SequenceDisjoint implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        if (context.table().primaryKeys().isEmpty() || !SequenceAhead.numbersDecide(context.table())) {
            return;
        }
        RecordComparator keys =
                CodeGenUtils.newRecordComparator(context.table().schema().logicalTrimmedPrimaryKeysType().getFieldTypes());
        Map<String, List<CheckedFile>> buckets = new HashMap<>();
        for (CheckedFile file : context.newFiles()) {
            int bucket = file.message().view().get().bucket();
            if (file.sound() && bucket >= 0) {
                findings.checked(1);
                buckets.computeIfAbsent(FileKey.of(file.message().partition().get(), bucket, ""), key -> new ArrayList<>()).add(file);
            }
        }
        buckets.values().forEach(files -> check(files, keys, findings));
    }

    /** In the order of their first numbers, a file can only meet those that have not ended before it starts. */
    private static void check(List<CheckedFile> files, RecordComparator keys, Findings findings) {
        files.sort(Comparator.comparingLong(file -> file.view().minSequenceNumber()));
        List<CheckedFile> open = new ArrayList<>();
        for (CheckedFile file : files) {
            open.removeIf(earlier -> earlier.view().maxSequenceNumber() < file.view().minSequenceNumber());
            for (CheckedFile earlier : open) {
                if (earlier.message() != file.message() && overlap(keys, earlier, file)) {
                    findings.error(
                            file, "It shares keys and sequence numbers with " + earlier.name() + " of " + earlier.message().where() + ".");
                    break;
                }
            }
            open.add(file);
        }
    }

    private static boolean overlap(RecordComparator keys, CheckedFile one, CheckedFile other) {
        return keys.compare(row(one.view().minKey()), row(other.view().maxKey())) <= 0
                && keys.compare(row(other.view().minKey()), row(one.view().maxKey())) <= 0;
    }

    private static BinaryRow row(byte[] bytes) {
        return SerializationUtils.deserializeBinaryRow(bytes);
    }
}
