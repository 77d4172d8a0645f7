package org.paimonbridge.check;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.FileStoreTable;
import org.paimonbridge.envelope.Envelope;

/** What the rules look at: the table, the messages, and facts about them that are fetched once, when first asked for. */
public final class CheckContext {

    private final FileStoreTable table;
    private final Intent intent;
    private final List<Envelope> envelopes;
    private final List<CheckedMessage> messages;
    private final Map<Long, Optional<TableSchema>> schemas = new HashMap<>();
    private final Level level;
    private LiveFiles liveFiles;
    private Map<CheckedFile, Map<Rule, String>> scans;
    private Map<CheckedFile, FileProbe> probes;

    CheckContext(FileStoreTable table, List<Envelope> envelopes, Level level, Intent intent) {
        this.table = table;
        this.intent = intent;
        this.level = level;
        this.envelopes = Collections.unmodifiableList(envelopes);
        int total = envelopes.stream().mapToInt(envelope -> envelope.payloads().size()).sum();
        List<CheckedMessage> all = new ArrayList<>(total);
        for (Envelope envelope : envelopes) {
            for (byte[] bytes : envelope.payloads()) {
                all.add(new CheckedMessage(all.size(), total, envelope, bytes));
            }
        }
        this.messages = Collections.unmodifiableList(all);
    }

    public FileStoreTable table() {
        return table;
    }

    public Level level() {
        return level;
    }

    /** Whether the partitions of the messages start afresh, so that what lives in them now binds nobody. */
    public boolean replacing() {
        return intent == Intent.OVERWRITE;
    }

    public List<Envelope> envelopes() {
        return envelopes;
    }

    public List<CheckedMessage> messages() {
        return messages;
    }

    /** New data files of all messages whose bytes are verified. */
    public List<CheckedFile> newFiles() {
        List<CheckedFile> files = new ArrayList<>();
        messages.forEach(message -> files.addAll(message.newFiles()));
        return files;
    }

    /** New data files and new changelog files. */
    public List<CheckedFile> addedFiles() {
        List<CheckedFile> files = newFiles();
        messages.forEach(message -> files.addAll(message.changelogFiles()));
        return files;
    }

    public List<CheckedIndexFile> indexFiles() {
        List<CheckedIndexFile> files = new ArrayList<>();
        messages.forEach(message -> files.addAll(message.indexFiles()));
        return files;
    }

    /** The schema of that id, or empty where the table has none. */
    public Optional<TableSchema> schema(long id) {
        if (id == table.schema().id()) {
            return Optional.of(table.schema());
        }
        return schemas.computeIfAbsent(
                id,
                key ->
                        key >= 0 && table.schemaManager().schemaExists(key)
                                ? Optional.of(table.schemaManager().schema(key))
                                : Optional.empty());
    }

    /** What the latest snapshot holds in the partitions that the messages touch. */
    public LiveFiles live() {
        if (liveFiles == null) {
            Set<BinaryRow> partitions = new HashSet<>();
            messages.forEach(message -> message.partition().ifPresent(partitions::add));
            liveFiles = LiveFiles.of(table, partitions);
        }
        return liveFiles;
    }

    /** What the file system says, for every new file whose name is safe to look at; all are asked in parallel. */
    public Map<CheckedFile, FileProbe> probes() {
        if (probes == null) {
            List<CheckedFile> files = new ArrayList<>();
            addedFiles().stream().filter(CheckedFile::isLocated).forEach(files::add);
            List<FileProbe> answers =
                    Parallel.map(files, file -> FileProbe.of(table.fileIO(), file, file.path().get()));
            probes = new LinkedHashMap<>();
            for (int i = 0; i < files.size(); i++) {
                probes.put(files.get(i), answers.get(i));
            }
        }
        return probes;
    }

    /** What reading every row told, by file and rule; asked for at the level "full" only. */
    public Map<CheckedFile, Map<Rule, String>> scans() {
        if (scans == null) {
            scans = Scans.run(this);
        }
        return scans;
    }
}
