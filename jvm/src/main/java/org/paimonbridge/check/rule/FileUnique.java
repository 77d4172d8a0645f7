package org.paimonbridge.check.rule;

import java.util.HashMap;
import java.util.Map;

import org.apache.paimon.fs.Path;
import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedFile;
import org.paimonbridge.check.Findings;

/** No file is there twice in one call: Paimon counts its rows twice and can never delete it again. */
public final class FileUnique implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        Map<Path, CheckedFile> owners = new HashMap<>();
        for (CheckedFile file : context.addedFiles()) {
            if (!file.path().isPresent()) {
                continue;
            }
            findings.checked(1);
            claim(file, file.path().get(), owners, findings);
            file.extraPaths().forEach(extra -> claim(file, extra, owners, findings));
        }
    }

    private static void claim(CheckedFile file, Path path, Map<Path, CheckedFile> owners, Findings findings) {
        CheckedFile earlier = owners.putIfAbsent(path, file);
        if (earlier != null) {
            findings.error(file, path.getName() + " is there twice; it is also in " + earlier.message().where() + ".");
        }
    }
}
