package org.paimonbridge.commit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.Lock;
import java.util.stream.Collectors;

import org.apache.paimon.Snapshot;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.TableCommitImpl;
import org.paimonbridge.check.CheckedMessage;
import org.paimonbridge.check.Gate;
import org.paimonbridge.check.Intent;
import org.paimonbridge.check.Level;
import org.paimonbridge.envelope.Envelope;
import org.paimonbridge.error.BridgeException;
import org.paimonbridge.error.CommitErrors;
import org.paimonbridge.error.Errors;
import org.paimonbridge.report.ConformanceReport;

/**
 * Commits messages under a stable commit user and identifier: the gate first, then Paimon's {@code filterAndCommit}, then a look at the
 * snapshots, which alone decide what is answered. Nothing is ever deleted here, whatever happens.
 */
public final class TableCommitter {

    private final FileStoreTable table;
    private final CommitRequest request;
    private final List<Envelope> envelopes;
    private final String user;
    private final Overwrite overwrite;
    private final Map<String, Long> millis = new LinkedHashMap<>();

    public TableCommitter(FileStoreTable table, CommitRequest request, List<Envelope> envelopes, long decodeMillis) {
        this.table = table;
        this.request = request;
        this.envelopes = envelopes;
        this.user = user(request, envelopes);
        this.overwrite = request.overwrite(table);
        millis.put("decode", decodeMillis);
        millis.put("gate", 0L);
        millis.put("commit", 0L);
    }

    static String user(CommitRequest request, List<Envelope> envelopes) {
        String user = request.commitUser() != null || envelopes.isEmpty() ? request.commitUser() : envelopes.get(0).commitUser();
        return user == null ? "" : user;
    }

    /** The gate alone, with the eyes of a commit of the same request. */
    public static ConformanceReport check(FileStoreTable table, CommitRequest request, List<Envelope> envelopes) {
        TableCommitter committer = new TableCommitter(table, request, envelopes, 0);
        Gate gate = committer.look(request.level());
        committer.overwrite.requireInside(request.table(), table, gate.messages());
        return gate.report();
    }

    public CommitResult commit() {
        if (user.isEmpty() && (!envelopes.isEmpty() || overwrite.removesAlone())) {
            throw Errors.noCommitUser();
        }
        Lock lock = CommitLocks.of(table.location().toString(), user);
        lock.lock();
        try {
            CommitResult result = commitLocked();
            UncertainCommits.settle(table.location().toString(), user, request.identifier());
            return result;
        } finally {
            lock.unlock();
        }
    }

    private CommitResult commitLocked() {
        CommitHistory history = history();
        request.notes().requireFree(request.table(), table, history.exact());
        if (!history.exact().isEmpty()) {
            return alreadyThere(history, pass(Level.OFF));
        }
        Gate gate = pass(request.level());
        if (isNothing(gate)) {
            return result(CommitResult.Status.EMPTY, null, gate, null);
        }
        requireNext(history);
        long start = System.nanoTime();
        Throwable failure = runCommit(messages(gate));
        return readBack(gate, history.latestSeen(), failure, start);
    }

    CommitHistory history() {
        return CommitHistory.of(table, user, request.identifier(), 0);
    }

    Overwrite overwrite() {
        return overwrite;
    }

    private Gate pass(Level level) {
        long start = System.nanoTime();
        Gate gate = look(level);
        millis.put("gate", (System.nanoTime() - start) / 1_000_000);
        if (gate.report().errors() > 0) {
            throw Errors.refused(request.table(), gate.report().errors(), gate.report().toMap());
        }
        overwrite.requireInside(request.table(), table, gate.messages());
        return gate;
    }

    Gate look(Level level) {
        return Gate.pass(request.table(), table, envelopes, level, overwrite.replaces() ? Intent.OVERWRITE : Intent.APPEND);
    }

    boolean isNothing(Gate gate) {
        return !overwrite.removesAlone() && gate.messages().stream().allMatch(TableCommitter::isEmpty);
    }

    private static boolean isEmpty(CheckedMessage message) {
        return message.view()
                .map(
                        view ->
                                view.fileLists().values().stream().allMatch(List::isEmpty)
                                        && view.indexFileLists().values().stream().allMatch(List::isEmpty))
                .orElse(true);
    }

    /** A snapshot has this identity. It is this commit if it holds these files; otherwise the identity is somebody else's. */
    private CommitResult alreadyThere(CommitHistory history, Gate gate) {
        if (isNothing(gate)) {
            return result(CommitResult.Status.EMPTY, null, gate, null);
        }
        SnapshotFiles files = SnapshotFiles.of(table, history.exact());
        String warning = null;
        if (request.rewritten() && !files.areOf(gate.messages())) {
            warning = "The snapshot holds an earlier writing of these rows; the files of these messages are not in the table.";
        } else {
            requireSame(history.exact(), files, gate);
        }
        return settled(CommitResult.Status.ALREADY_COMMITTED, history.exact(), files, gate, warning);
    }

    void requireSame(List<Snapshot> snapshots, Gate gate) {
        requireSame(snapshots, SnapshotFiles.of(table, snapshots), gate);
    }

    private void requireSame(List<Snapshot> snapshots, SnapshotFiles files, Gate gate) {
        if (!files.areOf(gate.messages())) {
            throw Errors.identifierTaken(request.table(), user, request.identifier(), snapshots.get(0).id());
        }
        requireKind(snapshots, files, gate);
    }

    /** The same files may have come in the other way: added where the call replaces, or the reverse. That is not what is asked. */
    private void requireKind(List<Snapshot> snapshots, SnapshotFiles files, Gate gate) {
        boolean replaced = snapshots.stream().anyMatch(snapshot -> snapshot.commitKind() == Snapshot.CommitKind.OVERWRITE);
        boolean wanted = overwrite.replaces() || gate.messages().stream().anyMatch(TableCommitter::removes);
        if (overwrite.replaces() && !replaced || !wanted && replaced && files.removed() > 0) {
            Snapshot other = snapshots.get(0);
            throw CommitErrors.otherKind(request.table(), user, request.identifier(), other.id(), other.commitKind().name());
        }
    }

    private static boolean removes(CheckedMessage message) {
        return message.view().map(view -> !view.fileLists().getOrDefault("deletedFiles", Collections.emptyList()).isEmpty()).orElse(false);
    }

    /** Paimon drops identifiers that are not greater than the user's latest without a word; here they are errors. */
    void requireNext(CommitHistory history) {
        OptionalLong latest = history.latestIdentifier();
        if (latest.isPresent() && latest.getAsLong() > request.identifier()) {
            throw Errors.identifierWentBack(request.table(), user, request.identifier(), latest.getAsLong());
        }
        boolean first = request.identifier() <= 1 || request.firstCommit();
        if (!latest.isPresent() && history.earliestSeen() > Snapshot.FIRST_SNAPSHOT_ID && !first) {
            throw Errors.historyExpired(request.table(), user, request.identifier(), history.earliestSeen());
        }
    }

    /** Answers what was thrown, or null. Nothing is concluded from it alone: a snapshot may exist in spite of an exception. */
    private Throwable runCommit(List<CommitMessage> messages) {
        try (TableCommitImpl commit = overwrite.configured(table).newCommit(user)) {
            if (overwrite.replaces()) {
                commit.withOverwrite(overwrite.spec());
            }
            commit.filterAndCommitMultiple(Collections.singletonList(request.notes().committable(request.identifier(), messages)));
            return null;
        } catch (Throwable e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return e;
        }
    }

    private CommitResult readBack(Gate gate, long before, Throwable failure, long start) {
        List<Snapshot> made;
        SnapshotFiles files;
        try {
            made = CommitHistory.of(table, user, request.identifier(), before).exact();
            files = SnapshotFiles.of(table, made);
        } catch (RuntimeException e) {
            if (failure != null) {
                e.addSuppressed(failure);
            }
            throw uncertain(e);
        }
        millis.put("commit", (System.nanoTime() - start) / 1_000_000);
        if (made.isEmpty()) {
            throw notThere(failure);
        }
        if (!files.areOf(gate.messages())) {
            throw Errors.identifierTaken(request.table(), user, request.identifier(), made.get(0).id());
        }
        String warning = failure == null ? null : "The snapshot exists, but something failed after it was made: " + failure;
        return settled(CommitResult.Status.COMMITTED, made, files, gate, warning);
    }

    private BridgeException notThere(Throwable failure) {
        if (failure == null) {
            return uncertain(new IllegalStateException("Paimon reported success, but no snapshot has this commit user and identifier"));
        }
        if (Failure.whilePublishing(failure)) {
            return uncertain(failure);
        }
        return Failure.isConflict(failure)
                ? Errors.conflict(request.table(), user, request.identifier(), failure)
                : Errors.commitFailed(request.table(), user, request.identifier(), failure);
    }

    private BridgeException uncertain(Throwable cause) {
        UncertainCommits.add(table.location().toString(), user, request.identifier());
        return Errors.stateUnknown(request.table(), user, request.identifier(), cause);
    }

    private static List<CommitMessage> messages(Gate gate) {
        return gate.messages().stream()
                .map(message -> message.decoded().orElseThrow(() -> new IllegalStateException("a message passed undecoded")))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** The snapshots are there; what may still be missing is their tag. */
    private CommitResult settled(
            CommitResult.Status status, List<Snapshot> snapshots, SnapshotFiles files, Gate gate, String warning) {
        String untagged = request.notes().tag(table, snapshots.get(0).id());
        String both = warning == null || untagged == null ? (warning == null ? untagged : warning) : warning + "\n" + untagged;
        return result(status, new Settled(snapshots, files.removed(), overwrite.replaces(), request.notes().tagName()), gate, both);
    }

    private CommitResult result(CommitResult.Status status, Settled settled, Gate gate, String warning) {
        return new CommitResult(
                status, settled, user, request.identifier(), Visibility.of(table), warning, gate.report(), millis);
    }
}
