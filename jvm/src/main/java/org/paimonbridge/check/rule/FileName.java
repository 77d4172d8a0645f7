package org.paimonbridge.check.rule;

import org.apache.paimon.fs.Path;
import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedFile;
import org.paimonbridge.check.CheckedIndexFile;
import org.paimonbridge.check.Findings;
import org.paimonbridge.check.TablePaths;

/**
 * Names stay inside the table. Paimon resolves a name like a URI, so one with slashes, dots or a scheme would lead elsewhere, and abort
 * or snapshot expiry would delete what it finds there.
 */
public final class FileName implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        TablePaths paths = new TablePaths(context.table());
        for (CheckedFile file : context.addedFiles()) {
            findings.checked(1);
            if (!TablePaths.isDataFileName(file.name())) {
                findings.error(file, "The file name is not one plain name with the suffix of a data format.");
                continue;
            }
            boolean extrasSafe = true;
            for (String extra : file.view().extraFiles()) {
                if (!TablePaths.isExtraFileName(extra)) {
                    findings.error(file, "An extra file is not one plain name ending in .index.");
                    extrasSafe = false;
                }
            }
            String external = file.view().externalPath().orElse(null);
            if (external != null && !paths.isAllowedExternalPath(external, file.name())) {
                findings.error(file, "The external path is not below a root that data-file.external-paths allows.");
                continue;
            }
            if (extrasSafe) {
                Path folder = external == null ? file.message().bucketPath().orElse(null) : new Path(external).getParent();
                file.located(folder);
            }
        }
        context.indexFiles().forEach(file -> index(paths, file, findings));
    }

    private static void index(TablePaths paths, CheckedIndexFile file, Findings findings) {
        findings.checked(1);
        String external = file.view().externalPath().orElse(null);
        if (!TablePaths.isPlainName(file.view().name())) {
            findings.error(file, "The name of the index file is not one plain name.");
        } else if (external != null && !paths.isAllowedExternalPath(external, file.view().name())) {
            findings.error(file, "The external path is not below a root that data-file.external-paths allows.");
        } else if (external != null) {
            file.located(new Path(external));
        } else {
            file.message().bucketPath().ifPresent(bucket -> file.located(new Path(paths.indexFolder(bucket), file.view().name())));
        }
    }
}
