package org.paimonbridge.check.rule;

import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedFile;
import org.paimonbridge.check.Findings;
import org.paimonbridge.verify.FileView;

/** A new file enters at level 0, as new input, with row ids left to the commit. */
public final class FileLevel implements Check {

    private static final long SOURCE_APPEND = 0;

    @Override
    public void run(CheckContext context, Findings findings) {
        for (CheckedFile file : context.addedFiles()) {
            findings.checked(1);
            FileView view = file.view();
            if (view.level() != 0) {
                findings.error(file, "A new file has level " + view.level() + ", not 0.");
            }
            if (view.fileSource().orElse(-1L) != SOURCE_APPEND) {
                findings.error(
                        file, "A new file has source " + view.fileSource().map(String::valueOf).orElse("null") + ", not 0 (append).");
            }
            if (view.firstRowId().isPresent()) {
                findings.error(file, "A new file has the first row id " + view.firstRowId().get() + ", which only the commit gives.");
            }
        }
    }
}
