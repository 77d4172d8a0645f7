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

    private CommitHistory(List<Snapshot> exact, OptionalLong latestIdentifier, long earliestSeen) {
        this.exact = exact;
        this.latestIdentifier = latestIdentifier;
        this.earliestSeen = earliestSeen;
    }

    /** Walks from the latest snapshot back, no further than identifiers of this user that are smaller. */
    static CommitHistory of(FileStoreTable table, String user, long identifier) {
        SnapshotManager snapshots = table.snapshotManager();
        Long latest = snapshots.latestSnapshotId();
        List<Snapshot> exact = new ArrayList<>();
        OptionalLong latestIdentifier = OptionalLong.empty();
        long earliestSeen = Snapshot.FIRST_SNAPSHOT_ID;
        for (long id = latest == null ? 0 : latest; id >= Snapshot.FIRST_SNAPSHOT_ID; id--) {
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
        return new CommitHistory(Collections.unmodifiableList(exact), latestIdentifier, earliestSeen);
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
}
