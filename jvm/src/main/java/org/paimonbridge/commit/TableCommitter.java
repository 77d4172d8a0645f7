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
import org.paimonbridge.check.Gate;
import org.paimonbridge.check.Level;
import org.paimonbridge.envelope.Envelope;
import org.paimonbridge.error.BridgeException;
import org.paimonbridge.error.Errors;

/**
 * Commits messages under a stable commit user and identifier: the gate first, then Paimon's {@code filterAndCommit}, then a look at the
 * snapshots, which alone decide what is answered. Nothing is ever deleted here, whatever happens.
 */
public final class TableCommitter {

    private final FileStoreTable table;
    private final CommitRequest request;
    private final List<Envelope> envelopes;
    private final String user;
    private final Map<String, Long> millis = new LinkedHashMap<>();

    public TableCommitter(FileStoreTable table, CommitRequest request, List<Envelope> envelopes, long decodeMillis) {
        this.table = table;
        this.request = request;
        this.envelopes = envelopes;
        this.user = user(request, envelopes);
        millis.put("decode", decodeMillis);
        millis.put("gate", 0L);
        millis.put("commit", 0L);
    }

    static String user(CommitRequest request, List<Envelope> envelopes) {
        String user = request.commitUser() != null || envelopes.isEmpty() ? request.commitUser() : envelopes.get(0).commitUser();
        return user == null ? "" : user;
    }

    public CommitResult commit() {
        if (user.isEmpty() && !envelopes.isEmpty()) {
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
        CommitHistory history = CommitHistory.of(table, user, request.identifier(), 0);
        if (!history.exact().isEmpty()) {
            return alreadyThere(history, pass(Level.OFF), null);
        }
        Gate gate = pass(request.level());
        if (gate.report().files() == 0) {
            return result(CommitResult.Status.EMPTY, null, gate, null);
        }
        requireNext(history);
        long start = System.nanoTime();
        Throwable failure = runCommit(messages(gate));
        return readBack(gate, history.latestSeen(), failure, start);
    }

    private Gate pass(Level level) {
        long start = System.nanoTime();
        Gate gate = Gate.pass(request.table(), table, envelopes, level);
        millis.put("gate", (System.nanoTime() - start) / 1_000_000);
        if (gate.report().errors() > 0) {
            throw Errors.refused(request.table(), gate.report().errors(), gate.report().toMap());
        }
        return gate;
    }

    /** A snapshot has this identity. It is this commit if it holds these files; otherwise the identity is somebody else's. */
    private CommitResult alreadyThere(CommitHistory history, Gate gate, String warning) {
        Snapshot snapshot = history.exact().get(0);
        if (gate.report().files() == 0) {
            return result(CommitResult.Status.EMPTY, null, gate, warning);
        }
        if (!SnapshotFiles.addedBy(table, history.exact()).containsAll(gate.messages())) {
            if (!request.rewritten()) {
                throw Errors.identifierTaken(request.table(), user, request.identifier(), snapshot.id());
            }
            return result(
                    CommitResult.Status.ALREADY_COMMITTED,
                    snapshot.id(),
                    gate,
                    "The snapshot holds an earlier writing of these rows; the files of these messages are not in the table.");
        }
        return result(CommitResult.Status.ALREADY_COMMITTED, snapshot.id(), gate, warning);
    }

    /** Paimon drops identifiers that are not greater than the user's latest without a word; here they are errors. */
    private void requireNext(CommitHistory history) {
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
        try (TableCommitImpl commit = table.newCommit(user)) {
            commit.filterAndCommit(Collections.singletonMap(request.identifier(), messages));
            return null;
        } catch (Throwable e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return e;
        }
    }

    private CommitResult readBack(Gate gate, long before, Throwable failure, long start) {
        CommitHistory history;
        boolean ours;
        try {
            history = CommitHistory.of(table, user, request.identifier(), before);
            ours = !history.exact().isEmpty() && SnapshotFiles.addedBy(table, history.exact()).containsAll(gate.messages());
        } catch (RuntimeException e) {
            if (failure != null) {
                e.addSuppressed(failure);
            }
            throw uncertain(e);
        }
        millis.put("commit", (System.nanoTime() - start) / 1_000_000);
        if (ours) {
            String warning = failure == null ? null : "The snapshot exists, but something failed after it was made: " + failure;
            return result(CommitResult.Status.COMMITTED, history.exact().get(0).id(), gate, warning);
        }
        if (!history.exact().isEmpty()) {
            throw Errors.identifierTaken(request.table(), user, request.identifier(), history.exact().get(0).id());
        }
        throw notThere(failure);
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

    private CommitResult result(CommitResult.Status status, Long snapshotId, Gate gate, String warning) {
        return new CommitResult(
                status, snapshotId, user, request.identifier(), Visibility.of(table), warning, gate.report(), millis);
    }
}
