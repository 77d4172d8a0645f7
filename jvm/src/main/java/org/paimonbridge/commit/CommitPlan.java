package org.paimonbridge.commit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.apache.paimon.data.BinaryRow;
import org.paimonbridge.check.CheckedMessage;
import org.paimonbridge.error.BridgeException;
import org.paimonbridge.report.ConformanceReport;
import org.paimonbridge.verify.FileView;

/** What a commit would do: counted per partition, and everything that would keep it from happening. */
final class CommitPlan {

    // A job over 10,000 partitions is told in numbers; the list stays readable.
    private static final int LISTED_PARTITIONS = 200;

    /** Files and rows of one partition, those that come and those that go. */
    private static final class Change {
        private long filesAdded;
        private long rowsAdded;
        private long filesRemoved;
        private long rowsRemoved;

        private void describe(Map<String, Object> map) {
            map.put("filesAdded", filesAdded);
            map.put("rowsAdded", rowsAdded);
            map.put("filesRemoved", filesRemoved);
            map.put("rowsRemoved", rowsRemoved);
        }
    }

    private final PartitionText texts;
    private final Map<String, Change> partitions = new TreeMap<>();
    private final Change total = new Change();
    private final List<Map<String, Object>> obstacles = new ArrayList<>();
    private final List<String> kinds = new ArrayList<>();
    private int changelogFiles;
    private int indexFiles;

    CommitPlan(PartitionText texts) {
        this.texts = texts;
    }

    void add(CheckedMessage message) {
        if (!message.partition().isPresent()) {
            return;
        }
        String partition = texts.of(message.partition().get());
        Map<String, List<FileView>> lists = message.view().get().fileLists();
        for (String list : new String[] {"newFiles", "compactAfter"}) {
            for (FileView file : lists.getOrDefault(list, new ArrayList<>())) {
                change(partition, 1, file.rowCount(), 0, 0);
            }
        }
        for (String list : new String[] {"deletedFiles", "compactBefore"}) {
            for (FileView file : lists.getOrDefault(list, new ArrayList<>())) {
                change(partition, 0, 0, 1, file.rowCount());
            }
        }
        for (String list : new String[] {"changelogFiles", "compactChangelogFiles"}) {
            changelogFiles += lists.getOrDefault(list, new ArrayList<>()).size();
        }
        for (String list : new String[] {"newIndexFiles", "compactNewIndexFiles"}) {
            indexFiles += message.view().get().indexFileLists().getOrDefault(list, new ArrayList<>()).size();
        }
    }

    void replaced(BinaryRow partition, long rows) {
        change(texts.of(partition), 0, 0, 1, rows);
    }

    private void change(String partition, long filesAdded, long rowsAdded, long filesRemoved, long rowsRemoved) {
        for (Change change : new Change[] {total, partitions.computeIfAbsent(partition, key -> new Change())}) {
            change.filesAdded += filesAdded;
            change.rowsAdded += rowsAdded;
            change.filesRemoved += filesRemoved;
            change.rowsRemoved += rowsRemoved;
        }
    }

    void kind(String kind) {
        kinds.add(kind);
    }

    /** Runs a check of the commit, and notes its refusal instead of passing it on. */
    void attempt(Runnable check) {
        try {
            check.run();
        } catch (BridgeException e) {
            obstacle(e);
        }
    }

    private void obstacle(BridgeException e) {
        Map<String, Object> obstacle = new LinkedHashMap<>();
        obstacle.put("code", e.code());
        obstacle.put("message", e.getMessage());
        obstacle.put("remedy", e.remedy());
        obstacles.add(obstacle);
    }

    boolean isHindered() {
        return !obstacles.isEmpty();
    }

    /** Where nothing would be done, nothing would be removed or added either. */
    Map<String, Object> toMap(String status, Long snapshotId, Overwrite overwrite, ConformanceReport report) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("status", status);
        map.put("snapshotId", snapshotId);
        map.put("kinds", kinds);
        map.put("overwrite", overwrite.describe());
        total.describe(map);
        map.put("changelogFiles", changelogFiles);
        map.put("indexFiles", indexFiles);
        map.put("partitions", partitions.entrySet().stream().limit(LISTED_PARTITIONS).map(CommitPlan::row).collect(Collectors.toList()));
        map.put("partitionCount", partitions.size());
        map.put("obstacles", obstacles);
        map.put("report", report.toMap());
        return map;
    }

    private static Map<String, Object> row(Map.Entry<String, Change> entry) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("partition", entry.getKey());
        entry.getValue().describe(row);
        return row;
    }
}
