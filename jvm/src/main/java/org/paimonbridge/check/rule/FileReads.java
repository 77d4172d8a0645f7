package org.paimonbridge.check.rule;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.table.source.DataSplit;
import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedFile;
import org.paimonbridge.check.Findings;
import org.paimonbridge.check.Parallel;

/** Paimon's own reader reads every row of the file as the message describes it. */
public final class FileReads implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        List<CheckedFile> files =
                context.probes().entrySet().stream()
                        .filter(entry -> entry.getValue().present() && entry.getKey().message().decoded().isPresent())
                        .map(entry -> entry.getKey())
                        .collect(Collectors.toList());
        List<String> problems = Parallel.map(files, file -> problem(context.table(), file));
        findings.checked(files.size());
        for (int i = 0; i < files.size(); i++) {
            if (problems.get(i) != null) {
                findings.error(files.get(i), problems.get(i));
            }
        }
    }

    /** What is wrong with the file, or null. */
    private static String problem(FileStoreTable table, CheckedFile file) {
        AtomicLong rows = new AtomicLong();
        try (RecordReader<InternalRow> reader = table.newReadBuilder().newRead().createReader(split(file))) {
            reader.forEachRemaining(row -> rows.incrementAndGet());
        } catch (IOException | RuntimeException e) {
            return "Paimon's reader fails after " + rows + " rows: " + e;
        }
        return rows.get() == file.view().rowCount()
                ? null
                : "Paimon's reader finds " + rows + " rows, the message says " + file.view().rowCount() + ".";
    }

    private static DataSplit split(CheckedFile file) {
        CommitMessageImpl message = (CommitMessageImpl) file.message().decoded().get();
        return DataSplit.builder()
                .withSnapshot(0)
                .withPartition(file.message().partition().get())
                .withBucket(file.message().view().get().bucket())
                .withBucketPath(file.message().bucketPath().get().toString())
                .withDataFiles(
                        (file.isChangelog() ? message.newFilesIncrement().changelogFiles() : message.newFilesIncrement().newFiles())
                                .subList(file.index(), file.index() + 1))
                // Without merging: what is counted is what the file holds, also where keys repeat or rows are deletions.
                .rawConvertible(true)
                .build();
    }
}
