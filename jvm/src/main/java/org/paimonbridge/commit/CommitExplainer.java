package org.paimonbridge.commit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.apache.paimon.Snapshot;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.operation.FileStoreScan;
import org.apache.paimon.table.FileStoreTable;
import org.paimonbridge.check.CheckedMessage;
import org.paimonbridge.check.Gate;
import org.paimonbridge.check.Level;
import org.paimonbridge.envelope.Envelope;
import org.paimonbridge.release.PaimonRelease;

/**
 * A dry run of a commit: the same looks at history, gate and table, in the same order, and no change. What another writer does between
 * the dry run and the commit cannot be foreseen.
 */
public final class CommitExplainer {

    private static final int POSTPONE_BUCKET = -2;

    private final FileStoreTable table;
    private final CommitRequest request;
    private final TableCommitter committer;
    private final Overwrite overwrite;
    private final CommitPlan plan;

    private CommitExplainer(FileStoreTable table, CommitRequest request, List<Envelope> envelopes) {
        this.table = table;
        this.request = request;
        this.committer = new TableCommitter(table, request, envelopes, 0);
        this.overwrite = committer.overwrite();
        this.plan = new CommitPlan(new PartitionText(table));
    }

    public static Map<String, Object> explain(FileStoreTable table, CommitRequest request, List<Envelope> envelopes) {
        return new CommitExplainer(table, request, envelopes).explain();
    }

    private Map<String, Object> explain() {
        CommitHistory history = committer.history();
        boolean again = !history.exact().isEmpty();
        // As in the commit: what is there already is not measured by today's table.
        Gate gate = committer.look(again ? Level.OFF : request.level());
        plan.attempt(() -> request.notes().requireFree(request.table(), table, history.exact()));
        plan.attempt(() -> overwrite.requireInside(request.table(), table, gate.messages()));
        boolean sound = gate.report().errors() == 0;
        boolean nothing = sound && committer.isNothing(gate);
        if (again && sound && !nothing) {
            plan.attempt(() -> committer.requireSame(history.exact(), gate));
        } else if (!nothing) {
            plan.attempt(() -> committer.requireNext(history));
        }
        if (!again && !nothing) {
            kinds(gate.messages());
            gate.messages().forEach(plan::add);
            replaced(gate.messages());
        }
        return plan.toMap(status(again, nothing, sound), again ? history.exact().get(0).id() : null, overwrite, gate.report());
    }

    private String status(boolean again, boolean nothing, boolean sound) {
        if (!sound || plan.isHindered()) {
            return "REFUSED";
        }
        if (nothing) {
            return "EMPTY";
        }
        return again ? "ALREADY_COMMITTED" : "COMMITTED";
    }

    private void kinds(List<CheckedMessage> messages) {
        boolean removes = messages.stream().anyMatch(message -> has(message, "deletedFiles") || bringsDeletionVectors(message));
        boolean compacts = messages.stream().anyMatch(message -> has(message, "compactBefore") || has(message, "compactAfter"));
        plan.kind(overwrite.replaces() || removes && PaimonRelease.deletionsOverwrite() ? "OVERWRITE" : "APPEND");
        if (compacts) {
            plan.kind("COMPACT");
        }
    }

    private static boolean has(CheckedMessage message, String list) {
        return message.view().map(view -> view.fileLists().containsKey(list) && !view.fileLists().get(list).isEmpty()).orElse(false);
    }

    private static boolean bringsDeletionVectors(CheckedMessage message) {
        return message.view()
                .map(view -> view.indexFileLists().getOrDefault("newIndexFiles", Collections.emptyList()))
                .orElse(Collections.emptyList())
                .stream()
                .anyMatch(file -> file.type().equals("DELETION_VECTORS"));
    }

    /** Live files in the partitions that would be replaced; no other partition is read. */
    private void replaced(List<CheckedMessage> messages) {
        Snapshot latest = table.snapshotManager().latestSnapshot();
        Set<BinaryRow> touched = new HashSet<>();
        messages.forEach(message -> message.partition().filter(row -> !message.newFiles().isEmpty()).ifPresent(touched::add));
        if (latest == null || !overwrite.replaces() || overwrite.mode() == Overwrite.Mode.DYNAMIC && touched.isEmpty()) {
            return;
        }
        FileStoreScan scan = table.store().newScan().withSnapshot(latest).dropStats();
        if (overwrite.mode() == Overwrite.Mode.DYNAMIC) {
            scan.withPartitionFilter(new ArrayList<>(touched));
        } else if (overwrite.filter() != null) {
            scan.withPartitionFilter(overwrite.filter());
        }
        for (FileEntry file : scan.plan().files()) {
            // Paimon leaves the waiting room of a postpone table alone when the table is one no longer.
            if (file.bucket() != POSTPONE_BUCKET || table.schema().numBuckets() == POSTPONE_BUCKET) {
                plan.replaced(file.partition(), PaimonRelease.rowCountOf(file));
            }
        }
    }
}
