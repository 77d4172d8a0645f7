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

/** Read-back: which files a snapshot itself added, from its delta manifests. */
final class SnapshotFiles {

    private final Set<String> added = new HashSet<>();

    private SnapshotFiles() {}

    static SnapshotFiles addedBy(FileStoreTable table, List<Snapshot> snapshots) {
        SnapshotFiles files = new SnapshotFiles();
        for (Snapshot snapshot : snapshots) {
            for (SimpleFileEntry entry :
                    table.store().newScan().withSnapshot(snapshot).withKind(ScanMode.DELTA).readSimpleEntries()) {
                if (entry.kind() == FileKind.ADD) {
                    files.added.add(FileKey.of(entry.partition(), entry.bucket(), entry.fileName()));
                }
            }
        }
        return files;
    }

    boolean containsAll(List<CheckedMessage> messages) {
        for (CheckedMessage message : messages) {
            for (CheckedFile file : message.newFiles()) {
                BinaryRow partition = message.partition().orElse(null);
                if (partition == null || !added.contains(FileKey.of(partition, message.view().get().bucket(), file.name()))) {
                    return false;
                }
            }
        }
        return true;
    }
}
