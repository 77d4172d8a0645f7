package org.paimonbridge.check.rule;

import org.apache.paimon.codegen.CodeGenUtils;
import org.apache.paimon.codegen.RecordComparator;
import org.apache.paimon.utils.SerializationUtils;
import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedFile;
import org.paimonbridge.check.Findings;

/** The smallest key is not greater than the largest. That they are the file's own is seen in its rows. */
public final class KeyBounds implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        if (context.table().primaryKeys().isEmpty()) {
            return;
        }
        RecordComparator comparator =
                CodeGenUtils.newRecordComparator(context.table().schema().logicalTrimmedPrimaryKeysType().getFieldTypes());
        for (CheckedFile file : context.addedFiles()) {
            // Java states the first and last key of a postponed file, in no order.
            if (!file.sound() || file.message().view().get().bucket() < 0) {
                continue;
            }
            findings.checked(1);
            if (comparator.compare(
                            SerializationUtils.deserializeBinaryRow(file.view().minKey()),
                            SerializationUtils.deserializeBinaryRow(file.view().maxKey()))
                    > 0) {
                findings.error(file, "The smallest key is greater than the largest.");
            }
        }
    }
}
