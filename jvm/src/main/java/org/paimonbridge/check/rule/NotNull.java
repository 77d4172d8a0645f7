package org.paimonbridge.check.rule;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import org.apache.paimon.schema.TableSchema;
import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedFile;
import org.paimonbridge.check.FileProbe;
import org.paimonbridge.check.Findings;
import org.paimonbridge.check.ParquetFooter;

/** No null is in a column that has none. Most files cannot hold one there; the footers of the others are asked. */
public final class NotNull implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        context.probes()
                .forEach(
                        (file, probe) -> {
                            findings.checked(1);
                            for (String column : looselyRequired(context, file, probe)) {
                                if (nulls(context, file, probe, column) > 0) {
                                    findings.error(file, "Column " + column + " is NOT NULL, and the footer counts nulls in it.");
                                }
                            }
                        });
    }

    private static List<String> looselyRequired(CheckContext context, CheckedFile file, FileProbe probe) {
        Optional<TableSchema> schema = context.schema(file.view().schemaId());
        return schema.isPresent() && probe.columns().isPresent()
                ? probe.columns().get().looselyRequired(FileColumns.columns(file, schema.get()))
                : Collections.<String>emptyList();
    }

    private static long nulls(CheckContext context, CheckedFile file, FileProbe probe, String column) {
        try {
            return ParquetFooter.nullCount(context.table().fileIO(), file.path().get(), probe.length().getAsLong(), column);
        } catch (IOException e) {
            return -1; // the footer was readable a moment ago; FILE_READS says what is wrong with the file
        }
    }
}
