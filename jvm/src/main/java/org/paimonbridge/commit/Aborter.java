package org.paimonbridge.commit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.stream.Collectors;

import org.apache.paimon.fs.Path;
import org.apache.paimon.table.FileStoreTable;
import org.paimonbridge.check.CheckedMessage;
import org.paimonbridge.check.Finding;
import org.paimonbridge.check.Gate;
import org.paimonbridge.check.Level;
import org.paimonbridge.check.Rule;
import org.paimonbridge.check.TablePaths;
import org.paimonbridge.envelope.Envelope;
import org.paimonbridge.error.Errors;
import org.paimonbridge.verify.FileView;
import org.paimonbridge.verify.IndexFileView;

/**
 * Deletes the files that uncommitted messages made: only those named in verified messages, inside the table, that no snapshot, tag,
 * changelog or branch mentions when looked at now. Unlike Paimon's own abort it also takes extra and index files. All others are
 * listed with the reason why they were kept.
 */
public final class Aborter {

    // What a message made, as opposed to what it found and wants removed.
    private static final List<String> MADE = Arrays.asList("newFiles", "changelogFiles", "compactAfter", "compactChangelogFiles");
    private static final List<String> MADE_INDEX = Arrays.asList("newIndexFiles", "compactNewIndexFiles");
    private static final List<Rule> NEEDED =
            Arrays.asList(Rule.TABLE_IDENTITY, Rule.MESSAGE_VERSION, Rule.BYTES_WELL_FORMED, Rule.RESERIALIZES_IDENTICALLY);

    private final FileStoreTable table;
    private final TablePaths paths;
    private final List<String> deleted = new ArrayList<>();
    private final List<Map<String, String>> kept = new ArrayList<>();

    private Aborter(FileStoreTable table) {
        this.table = table;
        this.paths = new TablePaths(table);
    }

    public static Map<String, Object> abort(FileStoreTable table, CommitRequest request, List<Envelope> envelopes) {
        // The lock of the commit: files of a commit that is under way in this JVM are looked at after its end.
        String user = TableCommitter.user(request, envelopes);
        Lock lock = CommitLocks.of(table.location().toString(), user);
        lock.lock();
        try {
            Set<Long> uncertain = UncertainCommits.of(table.location().toString(), user);
            if (!uncertain.isEmpty()) {
                throw Errors.abortUncertain(request.table(), user, uncertain);
            }
            Gate gate = Gate.pass(request.table(), table, envelopes, Level.OFF);
            List<Finding> fatal =
                    gate.report().findings().stream().filter(finding -> NEEDED.contains(finding.rule())).collect(Collectors.toList());
            if (!fatal.isEmpty()) {
                throw Errors.refused(request.table(), fatal.size(), gate.report().toMap());
            }
            return new Aborter(table).abort(gate.messages());
        } finally {
            lock.unlock();
        }
    }

    private Map<String, Object> abort(List<CheckedMessage> messages) {
        Map<Path, String> candidates = new LinkedHashMap<>();
        messages.forEach(message -> collect(message, candidates));
        Map<String, String> holders =
                candidates.isEmpty()
                        ? Collections.<String, String>emptyMap()
                        : ReferencedFiles.among(table, candidates.keySet().stream().map(Path::getName).collect(Collectors.toSet()));
        candidates.forEach(
                (path, name) -> {
                    if (holders.containsKey(name)) {
                        keep(path.toString(), "in use by " + holders.get(name));
                    } else {
                        delete(path);
                    }
                });
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("deleted", deleted);
        result.put("kept", kept);
        return result;
    }

    private void collect(CheckedMessage message, Map<Path, String> candidates) {
        Path bucket = message.bucketPath().orElse(null);
        for (String list : MADE) {
            for (FileView file : message.view().get().fileLists().getOrDefault(list, Collections.emptyList())) {
                String external = file.externalPath().orElse(null);
                if (bucket == null || !TablePaths.isDataFileName(file.name())) {
                    keep(file.name(), "its place inside the table cannot be told");
                } else if (external != null && !paths.isAllowedExternalPath(external, file.name())) {
                    keep(external, "outside the table");
                } else {
                    Path path = external == null ? new Path(bucket, file.name()) : new Path(external);
                    candidates.put(path, file.name());
                    for (String extra : file.extraFiles()) {
                        collectPlain(path.getParent(), extra, TablePaths.isExtraFileName(extra), candidates);
                    }
                }
            }
        }
        for (String list : MADE_INDEX) {
            for (IndexFileView file : message.view().get().indexFileLists().getOrDefault(list, Collections.emptyList())) {
                boolean ownFolder = Boolean.parseBoolean(table.options().getOrDefault("index-file-in-data-file-dir", "false"));
                Path folder = ownFolder ? bucket : table.store().pathFactory().indexPath();
                boolean inside = folder != null && !file.externalPath().isPresent() && TablePaths.isPlainName(file.name());
                collectPlain(folder, file.name(), inside, candidates);
            }
        }
    }

    private void collectPlain(Path folder, String name, boolean safe, Map<Path, String> candidates) {
        if (safe) {
            candidates.put(new Path(folder, name), name);
        } else {
            keep(name, "its place inside the table cannot be told");
        }
    }

    private void delete(Path path) {
        try {
            if (!table.fileIO().exists(path)) {
                keep(path.toString(), "not there");
            } else if (table.fileIO().delete(path, false)) {
                deleted.add(path.toString());
            } else {
                keep(path.toString(), "the file system did not delete it");
            }
        } catch (IOException e) {
            keep(path.toString(), "the file system did not delete it: " + e);
        }
    }

    private void keep(String path, String reason) {
        Map<String, String> entry = new LinkedHashMap<>();
        entry.put("path", path);
        entry.put("reason", reason);
        kept.add(entry);
    }
}
