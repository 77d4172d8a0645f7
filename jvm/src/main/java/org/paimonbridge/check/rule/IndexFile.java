package org.paimonbridge.check.rule;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.apache.paimon.fs.FileIO;
import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedIndexFile;
import org.paimonbridge.check.CheckedMessage;
import org.paimonbridge.check.FileKey;
import org.paimonbridge.check.Findings;
import org.paimonbridge.check.HashIndex;
import org.paimonbridge.check.Parallel;
import org.paimonbridge.release.PaimonRelease;

/** A HASH index is there, has four bytes per key, and is the only one of its bucket in the call: the last one would replace the others. */
public final class IndexFile implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        requireSomeIndex(context, findings);
        List<CheckedIndexFile> files =
                context.indexFiles().stream().filter(file -> file.path().isPresent()).collect(Collectors.toList());
        List<String> problems = Parallel.map(files, file -> problem(context.table().fileIO(), file));
        Map<String, CheckedIndexFile> owners = new HashMap<>();
        for (int i = 0; i < files.size(); i++) {
            CheckedIndexFile file = files.get(i);
            findings.checked(1);
            if (problems.get(i) != null) {
                findings.error(file, problems.get(i));
            }
            if (file.message().newFiles().isEmpty()) {
                findings.error(file, "The message brings an index, but no file with the keys in it.");
            }
            String bucket = FileKey.of(file.message().partition().get(), file.message().view().get().bucket(), "");
            CheckedIndexFile earlier = owners.putIfAbsent(bucket, file);
            if (earlier != null) {
                findings.error(file, "The bucket has a second index, in " + earlier.message().where() + ".");
            }
        }
    }

    /** A bucket without an index would be found by no writer: its keys would go to another one. */
    private static void requireSomeIndex(CheckContext context, Findings findings) {
        if (!PaimonRelease.bucketMode(context.table()).equals("HASH_DYNAMIC")) {
            return;
        }
        for (CheckedMessage message : context.messages()) {
            if (message.newFiles().isEmpty() || !message.indexFiles().isEmpty() || !message.partition().isPresent()) {
                continue;
            }
            boolean live = !context.replacing()
                    && context.live().hashIndex(message.partition().get(), message.view().get().bucket()).isPresent();
            if (!live) {
                findings.error(message, "The bucket has no index yet, and the message brings none.");
            }
        }
    }

    /** What is wrong with the file, or null. */
    private static String problem(FileIO fileIO, CheckedIndexFile file) {
        long stated = file.view().size();
        if (file.view().rowCount() < 0 || stated != HashIndex.HASH_BYTES * file.view().rowCount()) {
            return "The message says " + stated + " bytes for " + file.view().rowCount() + " hashes of " + HashIndex.HASH_BYTES + " bytes.";
        }
        try {
            long actual = fileIO.getFileSize(file.path().get());
            return actual == stated ? null : "The message says " + stated + " bytes, the index file has " + actual + ".";
        } catch (FileNotFoundException e) {
            return "The index file does not exist.";
        } catch (IOException e) {
            return "The index file cannot be looked at: " + e;
        }
    }
}
