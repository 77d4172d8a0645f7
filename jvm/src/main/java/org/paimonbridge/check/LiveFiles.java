package org.paimonbridge.check;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

import org.apache.paimon.Snapshot;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.manifest.SimpleFileEntry;
import org.apache.paimon.operation.FileStoreScan;
import org.apache.paimon.table.FileStoreTable;
import org.paimonbridge.release.PaimonRelease;

/** What the latest snapshot holds in the partitions that the messages touch. No other partition is read. */
public final class LiveFiles {

    private static final String HASH = "HASH";

    private final Map<BinaryRow, Integer> bucketCounts = new HashMap<>();
    private final Map<BinaryRow, Map<Integer, Bucket>> buckets = new HashMap<>();

    private LiveFiles() {}

    static LiveFiles of(FileStoreTable table, Collection<BinaryRow> partitions) {
        LiveFiles live = new LiveFiles();
        Snapshot latest = table.snapshotManager().latestSnapshot();
        if (latest == null || partitions.isEmpty()) {
            return live;
        }
        FileStoreScan scan = table.store().newScan().withSnapshot(latest).withPartitionFilter(new ArrayList<>(partitions));
        if (PaimonRelease.bucketMode(table).equals("BUCKET_UNAWARE")) {
            // Only names count here, and they are cheaper to read.
            for (SimpleFileEntry entry : scan.readSimpleEntries()) {
                live.bucket(entry).names.add(entry.fileName());
            }
            return live;
        }
        for (FileEntry entry : scan.dropStats().plan().files()) {
            Bucket bucket = live.bucket(entry);
            bucket.names.add(entry.fileName());
            bucket.maxSequence = Math.max(bucket.maxSequence, PaimonRelease.maxSequenceNumberOf(entry));
            int count = PaimonRelease.totalBucketsOf(entry);
            if (count > 0) {
                live.bucketCounts.put(entry.partition(), count);
            }
        }
        if (latest.indexManifest() != null) {
            live.collectIndexes(table, latest.indexManifest(), new HashSet<>(partitions));
        }
        return live;
    }

    private void collectIndexes(FileStoreTable table, String manifest, Set<BinaryRow> partitions) {
        for (IndexManifestEntry entry : table.store().indexManifestFileFactory().create().read(manifest)) {
            if (partitions.contains(entry.partition()) && entry.indexFile().indexType().equals(HASH)) {
                bucket(entry.partition(), entry.bucket()).index = entry.indexFile().fileName();
            }
        }
    }

    private Bucket bucket(FileEntry entry) {
        return bucket(entry.partition(), entry.bucket());
    }

    private Bucket bucket(BinaryRow partition, int bucket) {
        return buckets.computeIfAbsent(partition, key -> new HashMap<>()).computeIfAbsent(bucket, key -> new Bucket());
    }

    private Optional<Bucket> find(BinaryRow partition, int bucket) {
        Map<Integer, Bucket> found = buckets.get(partition);
        return Optional.ofNullable(found == null ? null : found.get(bucket));
    }

    public boolean contains(BinaryRow partition, int bucket, String name) {
        return find(partition, bucket).map(found -> found.names.contains(name)).orElse(false);
    }

    /** The bucket count of the partition's files; empty where none are in real buckets. */
    public OptionalInt bucketCount(BinaryRow partition) {
        Integer count = bucketCounts.get(partition);
        return count == null ? OptionalInt.empty() : OptionalInt.of(count);
    }

    /** The greatest sequence number in the bucket; not known in tables without buckets, where it means nothing. */
    public OptionalLong maxSequence(BinaryRow partition, int bucket) {
        return find(partition, bucket)
                .filter(found -> found.maxSequence != Long.MIN_VALUE)
                .map(found -> OptionalLong.of(found.maxSequence))
                .orElse(OptionalLong.empty());
    }

    /** The name of the HASH index of a dynamic bucket. */
    public Optional<String> hashIndex(BinaryRow partition, int bucket) {
        return find(partition, bucket).map(found -> found.index);
    }

    private static final class Bucket {
        private final Set<String> names = new HashSet<>();
        private long maxSequence = Long.MIN_VALUE;
        private String index;
    }
}
