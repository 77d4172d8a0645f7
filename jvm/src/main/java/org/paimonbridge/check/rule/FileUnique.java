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
        Map<Path, Map<String, CheckedFile>> owners = new HashMap<>();
        for (CheckedFile file : context.addedFiles()) {
            if (!file.isLocated()) {
                continue;
            }
            findings.checked(1);
            Map<String, CheckedFile> names = owners.computeIfAbsent(file.folder(), folder -> new HashMap<>());
            claim(file, file.name(), names, findings);
            file.view().extraFiles().forEach(extra -> claim(file, extra, names, findings));
        }
    }

    private static void claim(CheckedFile file, String name, Map<String, CheckedFile> names, Findings findings) {
        CheckedFile earlier = names.putIfAbsent(name, file);
        if (earlier != null) {
            findings.error(file, name + " is there twice; it is also in " + earlier.message().where() + ".");
        }
    }
}
