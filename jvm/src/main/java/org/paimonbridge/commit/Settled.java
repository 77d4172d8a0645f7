package org.paimonbridge.commit;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.apache.paimon.Snapshot;
import org.paimonbridge.release.PaimonRelease;

/** The snapshots that one commit made, the latest first, and what they took away. */
final class Settled {

    private final List<Snapshot> snapshots;
    private final int filesRemoved;
    private final boolean replaced;
    private final String tag;

    Settled(List<Snapshot> snapshots, int filesRemoved, boolean replaced, String tag) {
        this.snapshots = snapshots;
        this.filesRemoved = filesRemoved;
        this.replaced = replaced;
        this.tag = tag;
    }

    long snapshotId() {
        return snapshots.get(0).id();
    }

    void describe(long rowsAdded, Map<String, Object> map) {
        map.put("kind", snapshots.stream().map(snapshot -> snapshot.commitKind().name()).collect(Collectors.joining(", ")));
        if (replaced) {
            long delta =
                    snapshots.stream()
                            .filter(snapshot -> snapshot.commitKind() == Snapshot.CommitKind.OVERWRITE)
                            .mapToLong(PaimonRelease::deltaRecordCount)
                            .sum();
            map.put("filesRemoved", filesRemoved);
            map.put("rowsRemoved", rowsAdded - delta);
        }
        if (tag != null) {
            map.put("tag", tag);
        }
    }
}
