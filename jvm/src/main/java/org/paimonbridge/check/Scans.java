package org.paimonbridge.check;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.fs.Path;
import org.apache.paimon.schema.TableSchema;
import org.paimonbridge.check.scan.FileScanner;
import org.paimonbridge.check.scan.OnExecutors;
import org.paimonbridge.check.scan.ScanTask;
import org.paimonbridge.release.PaimonRelease;

/** Has the rows of all new files read that may be read, once each. */
final class Scans {

    private final CheckContext context;
    private final String mode;
    private final TablePaths paths;

    private Scans(CheckContext context) {
        this.context = context;
        this.mode = PaimonRelease.bucketMode(context.table());
        this.paths = new TablePaths(context.table());
    }

    static Map<CheckedFile, Map<Rule, String>> run(CheckContext context) {
        Scans scans = new Scans(context);
        List<CheckedFile> files = new ArrayList<>();
        List<ScanTask> tasks = new ArrayList<>();
        context.probes()
                .forEach(
                        (file, probe) -> {
                            Optional<TableSchema> schema = context.schema(file.view().schemaId());
                            if (probe.present() && file.sound() && schema.isPresent()) {
                                files.add(file);
                                tasks.add(scans.task(file, probe, schema.get()));
                            }
                        });
        Optional<List<Map<Rule, String>>> spread = besideSpark() ? OnExecutors.scan(tasks) : Optional.empty();
        List<Map<Rule, String>> problems = spread.orElseGet(() -> Parallel.map(tasks, FileScanner::scan));
        Map<CheckedFile, Map<Rule, String>> results = new LinkedHashMap<>();
        for (int i = 0; i < files.size(); i++) {
            results.put(files.get(i), problems.get(i));
        }
        return results;
    }

    /** Without Spark, as in tests of the shim alone, the class that speaks to it cannot even be loaded. */
    private static boolean besideSpark() {
        try {
            Class.forName("org.apache.spark.api.java.function.Function", false, Scans.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private ScanTask task(CheckedFile file, FileProbe probe, TableSchema schema) {
        CheckedMessage message = file.message();
        boolean keyColumns =
                schema.trimmedPrimaryKeys().stream().allMatch(key -> probe.columns().map(columns -> columns.has("_KEY_" + key)).orElse(false));
        return new ScanTask(
                context.table().fileIO(),
                schema,
                file.path().get(),
                file.view(),
                message.view().get().partition(),
                message.view().get().bucket(),
                mode,
                bucketCount(message),
                file.isChangelog(),
                keyColumns,
                mode.equals("HASH_DYNAMIC") ? indexPath(message) : null);
    }

    /** How many buckets the rows were told to, or 0 where their hash does not decide. */
    private int bucketCount(CheckedMessage message) {
        boolean byHash = mode.equals("HASH_FIXED") || mode.equals("POSTPONE_MODE") && message.view().get().bucket() >= 0;
        if (!byHash) {
            return 0;
        }
        int option = context.table().schema().numBuckets();
        int known = context.replacing() ? option : context.live().bucketCount(message.partition().get()).orElse(option);
        return message.view().get().totalBuckets().orElse(known);
    }

    private String indexPath(CheckedMessage message) {
        if (!message.indexFiles().isEmpty()) {
            return message.indexFiles().get(0).path().map(Path::toString).orElse(null);
        }
        BinaryRow partition = message.partition().get();
        Optional<String> live =
                context.replacing() ? Optional.empty() : context.live().hashIndex(partition, message.view().get().bucket());
        return live.map(name -> new Path(paths.indexFolder(message.bucketPath().get()), name).toString()).orElse(null);
    }
}
