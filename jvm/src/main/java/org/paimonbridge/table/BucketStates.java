package org.paimonbridge.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.apache.paimon.Snapshot;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.operation.FileStoreScan;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.utils.SerializationUtils;
import org.paimonbridge.error.Errors;
import org.paimonbridge.release.PaimonRelease;
import org.paimonbridge.verify.MalformedBytesException;
import org.paimonbridge.verify.TableRows;

/**
 * What a writer must know of the buckets a table has: bucket count and highest sequence number of their live files, and the hash index
 * of dynamic ones. All of it is read from one snapshot. Buckets below 0 are waiting rooms of postpone tables and are left out.
 */
public final class BucketStates {

    private static final String HASH_INDEX = "HASH";
    private static final int UNKNOWN = -1;

    private final FileStoreTable table;
    private final Snapshot snapshot;
    /** The partitions asked for; null for all. */
    private final Set<BinaryRow> partitions;
    private final Map<List<Object>, State> states = new LinkedHashMap<>();

    private BucketStates(FileStoreTable table, Snapshot snapshot, Set<BinaryRow> partitions) {
        this.table = table;
        this.snapshot = snapshot;
        this.partitions = partitions;
    }

    /** Rows of partition (field count and row, in hex), bucket, bucket count, highest sequence number, hash index file or null. */
    public static Map<String, Object> read(FileStoreTable table, JsonNode request) {
        Snapshot latest = table.snapshotManager().latestSnapshot();
        BucketStates states = new BucketStates(table, latest, partitions(table, request.path("partitions")));
        if (latest != null && (states.partitions == null || !states.partitions.isEmpty())) {
            states.collectFiles();
            states.collectIndexes();
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("snapshotId", latest == null ? null : latest.id());
        answer.put("buckets", states.rows());
        return answer;
    }

    private void collectFiles() {
        FileStoreScan scan = table.store().newScan().withSnapshot(snapshot).dropStats();
        if (partitions != null) {
            scan.withPartitionFilter(new ArrayList<>(partitions));
        }
        for (FileEntry file : scan.plan().files()) {
            if (file.bucket() >= 0) {
                state(file.partition(), file.bucket())
                        .file(PaimonRelease.totalBucketsOf(file), PaimonRelease.maxSequenceNumberOf(file));
            }
        }
    }

    /** An index can outlive the files of its bucket. */
    private void collectIndexes() {
        if (snapshot.indexManifest() == null) {
            return;
        }
        for (IndexManifestEntry entry : table.store().indexManifestFileFactory().create().read(snapshot.indexManifest())) {
            boolean wanted = partitions == null || partitions.contains(entry.partition());
            if (wanted && entry.bucket() >= 0 && entry.indexFile().indexType().equals(HASH_INDEX)) {
                state(entry.partition(), entry.bucket()).hashIndex = entry.indexFile().fileName();
            }
        }
    }

    private State state(BinaryRow partition, int bucket) {
        return states.computeIfAbsent(Arrays.asList(partition, bucket), key -> new State());
    }

    private List<List<Object>> rows() {
        Map<BinaryRow, String> texts = new LinkedHashMap<>();
        List<List<Object>> rows = new ArrayList<>(states.size());
        states.forEach(
                (key, state) -> {
                    BinaryRow partition = (BinaryRow) key.get(0);
                    String text = texts.computeIfAbsent(partition, row -> Hex.encode(SerializationUtils.serializeBinaryRow(row)));
                    rows.add(Arrays.asList(text, key.get(1), state.totalBuckets, state.maxSequenceNumber, state.hashIndex));
                });
        return rows;
    }

    private static Set<BinaryRow> partitions(FileStoreTable table, JsonNode list) {
        if (!list.isArray()) {
            return null;
        }
        TableRows rows = TableRows.of(table.schema().logicalPartitionType().getFields());
        Set<BinaryRow> partitions = new HashSet<>();
        for (JsonNode text : list) {
            byte[] bytes = Hex.decode(text.asText());
            try {
                rows.verify(bytes);
            } catch (MalformedBytesException e) {
                throw Errors.badRequest("a partition does not fit the partition keys " + table.partitionKeys() + ": " + e.getMessage());
            }
            partitions.add(SerializationUtils.deserializeBinaryRow(bytes));
        }
        return partitions;
    }

    /** One bucket, as far as it is known. */
    private static final class State {
        private int totalBuckets = UNKNOWN;
        private long maxSequenceNumber = UNKNOWN;
        private String hashIndex;

        void file(int buckets, long maximum) {
            totalBuckets = buckets;
            maxSequenceNumber = Math.max(maxSequenceNumber, maximum);
        }
    }
}
