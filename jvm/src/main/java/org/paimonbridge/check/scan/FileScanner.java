package org.paimonbridge.check.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.apache.paimon.CoreOptions;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.format.FileFormat;
import org.apache.paimon.format.FileFormatDiscover;
import org.apache.paimon.format.FormatReaderContext;
import org.apache.paimon.reader.RecordReader;
import org.paimonbridge.check.Rule;
import org.paimonbridge.release.PaimonRelease;

/** Reads one file once, with the reader that Paimon has for its format, and lets every rule about rows look at each. */
public final class FileScanner {

    private FileScanner() {}

    /** What is wrong with the file, by rule; empty if nothing is. */
    public static Map<Rule, String> scan(ScanTask task) {
        Map<Rule, String> problems = new LinkedHashMap<>();
        RowLayout layout = new RowLayout(task.schema(), task.view().writeColumns(), task.keyColumns());
        long[] rows = {0};
        List<RowWatch> watches;
        try (RecordReader<InternalRow> reader = open(task, layout)) {
            watches = watches(task, layout);
            reader.forEachRemaining(
                    row -> {
                        rows[0]++;
                        for (RowWatch watch : watches) {
                            watch.see(row);
                        }
                    });
        } catch (IOException | RuntimeException e) {
            problems.put(Rule.FILE_READS, "Paimon's reader fails after " + rows[0] + " rows: " + e);
            return problems;
        }
        if (rows[0] != task.view().rowCount()) {
            problems.put(
                    Rule.FILE_READS, "Paimon's reader finds " + rows[0] + " rows, the message says " + task.view().rowCount() + ".");
        }
        watches.forEach(watch -> watch.problem().ifPresent(problem -> problems.put(watch.rule(), problem)));
        return problems;
    }

    private static RecordReader<InternalRow> open(ScanTask task, RowLayout layout) throws IOException {
        String name = task.path().getName();
        FileFormat format =
                FileFormatDiscover.of(new CoreOptions(task.schema().options())).discover(name.substring(name.lastIndexOf('.') + 1));
        return PaimonRelease.readerFactory(format, layout.readType())
                .createReader(new FormatReaderContext(task.fileIO(), task.path(), task.view().size()));
    }

    private static List<RowWatch> watches(ScanTask task, RowLayout layout) {
        List<RowWatch> watches = new ArrayList<>();
        watches.add(new NotNullWatch(layout));
        watches.add(new StatsWatch(task, layout));
        if (layout.complete()) {
            watches.add(new PartitionWatch(task));
            if (task.buckets() > 0) {
                watches.add(new BucketWatch(task));
            }
        }
        if (layout.keyed()) {
            if (!task.postponed()) {
                watches.add(new KeyOrderWatch(task, layout));
                watches.add(new KeyBoundsWatch(task, layout));
            }
            if (layout.hasKeyColumns()) {
                watches.add(new KeyColumnsWatch(layout));
            }
            watches.add(new SequenceWatch(task, layout));
            watches.add(new KindWatch(layout));
            watches.add(new DeleteCountWatch(task, layout));
            if (task.indexPath().isPresent()) {
                watches.add(new IndexWatch(task, layout));
            }
        }
        return watches;
    }
}
