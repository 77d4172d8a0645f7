package org.paimonbridge.check.rule;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedIndexFile;
import org.paimonbridge.check.Findings;
import org.paimonbridge.check.HashIndex;
import org.paimonbridge.check.Parallel;
import org.paimonbridge.check.TablePaths;

/** A new index keeps the keys of the one that it replaces. That it knows the new keys is seen in the rows. */
public final class IndexContent implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        if (context.replacing()) {
            return;
        }
        TablePaths paths = new TablePaths(context.table());
        List<CheckedIndexFile> files =
                context.indexFiles().stream().filter(file -> file.path().isPresent()).collect(Collectors.toList());
        List<Optional<String>> problems = Parallel.map(files, file -> problem(context, paths, file));
        for (int i = 0; i < files.size(); i++) {
            findings.checked(1);
            if (problems.get(i).isPresent()) {
                findings.error(files.get(i), problems.get(i).get());
            }
        }
    }

    private static Optional<String> problem(CheckContext context, TablePaths paths, CheckedIndexFile file) {
        Optional<String> old = context.live().hashIndex(file.message().partition().get(), file.message().view().get().bucket());
        if (!old.isPresent()) {
            return Optional.empty();
        }
        FileIO fileIO = context.table().fileIO();
        try {
            HashIndex before = HashIndex.read(fileIO, new Path(paths.indexFolder(file.message().bucketPath().get()), old.get()));
            long lost = HashIndex.read(fileIO, file.path().get()).missing(before);
            return lost == 0 ? Optional.empty() : Optional.of("It lacks " + lost + " hashes of the index that it replaces.");
        } catch (IOException e) {
            return Optional.of("The index, or the one that it replaces, cannot be read: " + e);
        }
    }
}
