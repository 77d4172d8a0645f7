package org.paimonbridge.commit;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.apache.paimon.Snapshot;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.manifest.FileKind;
import org.apache.paimon.manifest.SimpleFileEntry;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.ScanMode;
import org.paimonbridge.check.CheckedFile;
import org.paimonbridge.check.CheckedMessage;
import org.paimonbridge.check.FileKey;

/** Read-back: which files the snapshots of one commit themselves added and removed, from their delta manifests alone. */
final class SnapshotFiles {

    private final Set<String> added = new HashSet<>();
    private int removed;

    private SnapshotFiles() {}

    static SnapshotFiles of(FileStoreTable table, List<Snapshot> snapshots) {
        SnapshotFiles files = new SnapshotFiles();
        for (Snapshot snapshot : snapshots) {
            for (SimpleFileEntry entry :
                    table.store().newScan().withSnapshot(snapshot).withKind(ScanMode.DELTA).readSimpleEntries()) {
                if (entry.kind() == FileKind.ADD) {
                    files.added.add(FileKey.of(entry.partition(), entry.bucket(), entry.fileName()));
                } else {
                    files.removed++;
                }
            }
        }
        return files;
    }

    /** A commit without files of its own must not have added any either: then the snapshot is somebody else's. */
    boolean areOf(List<CheckedMessage> messages) {
        boolean any = false;
        for (CheckedMessage message : messages) {
            for (CheckedFile file : message.newFiles()) {
                any = true;
                BinaryRow partition = message.partition().orElse(null);
                if (partition == null || !added.contains(FileKey.of(partition, message.view().get().bucket(), file.name()))) {
                    return false;
                }
            }
        }
        return any || added.isEmpty();
    }

    int removed() {
        return removed;
    }
}
