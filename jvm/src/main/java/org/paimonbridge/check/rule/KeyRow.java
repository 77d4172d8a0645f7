package org.paimonbridge.check.rule;

import java.util.Collections;
import java.util.List;

import org.apache.paimon.types.DataField;
import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedFile;
import org.paimonbridge.check.Findings;
import org.paimonbridge.verify.MalformedBytesException;
import org.paimonbridge.verify.TableRows;

/** The smallest and largest key have the types of the table's key; append tables have none. Merging compares them unread. */
public final class KeyRow implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        List<DataField> fields =
                context.table().primaryKeys().isEmpty()
                        ? Collections.<DataField>emptyList()
                        : context.table().schema().trimmedPrimaryKeysFields();
        TableRows rows = TableRows.of(fields);
        for (CheckedFile file : context.addedFiles()) {
            findings.checked(1);
            verify(rows, file, "smallest", file.view().minKey(), findings);
            verify(rows, file, "largest", file.view().maxKey(), findings);
        }
    }

    private static void verify(TableRows rows, CheckedFile file, String which, byte[] key, Findings findings) {
        try {
            rows.verify(key);
        } catch (MalformedBytesException e) {
            findings.error(file, "The " + which + " key does not fit the key of the table: " + e.getMessage());
        }
    }
}
