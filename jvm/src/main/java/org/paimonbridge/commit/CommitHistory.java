package org.paimonbridge.commit;

import java.io.FileNotFoundException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

import org.apache.paimon.Snapshot;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.utils.SnapshotManager;

/** What the snapshots say about one commit user: which have exactly this identifier, which came last, and how far back one can see. */
final class CommitHistory {

    private final List<Snapshot> exact;
    private final OptionalLong latestIdentifier;
    private final long earliestSeen;
    private final long latestSeen;

    private CommitHistory(List<Snapshot> exact, OptionalLong latestIdentifier, long earliestSeen, long latestSeen) {
        this.exact = Collections.unmodifiableList(exact);
        this.latestIdentifier = latestIdentifier;
        this.earliestSeen = earliestSeen;
        this.latestSeen = latestSeen;
    }

    /**
     * Walks from the latest snapshot back, as far as it must: to a smaller identifier of this user, to the first snapshot that has
     * expired, or to {@code after}, a snapshot up to which everything is known. Each step reads a small file.
     */
    static CommitHistory of(FileStoreTable table, String user, long identifier, long after) {
        SnapshotManager snapshots = table.snapshotManager();
        Long latest = snapshots.latestSnapshotId();
        List<Snapshot> exact = new ArrayList<>();
        OptionalLong latestIdentifier = OptionalLong.empty();
        long earliestSeen = Snapshot.FIRST_SNAPSHOT_ID;
        for (long id = latest == null ? 0 : latest; id > after; id--) {
            Snapshot snapshot;
            try {
                snapshot = snapshots.tryGetSnapshot(id);
            } catch (FileNotFoundException e) {
                earliestSeen = id + 1;
                break;
            }
            if (!user.equals(snapshot.commitUser())) {
                continue;
            }
            if (!latestIdentifier.isPresent()) {
                latestIdentifier = OptionalLong.of(snapshot.commitIdentifier());
            }
            if (snapshot.commitIdentifier() == identifier) {
                exact.add(snapshot);
            } else if (snapshot.commitIdentifier() < identifier) {
                break;
            }
        }
        return new CommitHistory(exact, latestIdentifier, earliestSeen, latest == null ? 0 : latest);
    }

    /** Snapshots with this very user and identifier, the latest first. */
    List<Snapshot> exact() {
        return exact;
    }

    /** The identifier of the user's latest snapshot; empty where none is left. */
    OptionalLong latestIdentifier() {
        return latestIdentifier;
    }

    /** Greater than 1 where older snapshots have expired. */
    long earliestSeen() {
        return earliestSeen;
    }

    /** The table's latest snapshot, or 0. */
    long latestSeen() {
        return latestSeen;
    }
}
