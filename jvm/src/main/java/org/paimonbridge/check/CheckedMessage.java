package org.paimonbridge.check;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.fs.Path;
import org.apache.paimon.table.sink.CommitMessage;
import org.paimonbridge.envelope.Envelope;
import org.paimonbridge.verify.FileView;
import org.paimonbridge.verify.MessageView;

/**
 * One message on its way through the gate. It learns what it is step by step: its view once the bytes are verified, Paimon's value
 * once that re-serialises, its place in the table once the partition row is. What a later rule needs and an earlier one
 * could not give is absent, so that no rule ever touches what was not verified.
 */
public final class CheckedMessage {

    private final int index;
    private final int total;
    private final Envelope envelope;
    private final byte[] bytes;
    private MessageView view;
    private CommitMessage decoded;
    private BinaryRow partition;
    private String partitionText;
    private Path bucketPath;
    private List<CheckedFile> newFiles = Collections.emptyList();
    private List<CheckedFile> changelogFiles = Collections.emptyList();
    private List<CheckedIndexFile> indexFiles = Collections.emptyList();

    CheckedMessage(int index, int total, Envelope envelope, byte[] bytes) {
        this.index = index;
        this.total = total;
        this.envelope = envelope;
        this.bytes = bytes;
    }

    /** Counted from 0, over all envelopes of the call. */
    public int index() {
        return index;
    }

    public Envelope envelope() {
        return envelope;
    }

    public byte[] bytes() {
        return bytes;
    }

    /** The bytes are verified. */
    public void verified(MessageView verifiedView) {
        view = verifiedView;
        newFiles = files(false, verifiedView.newFiles());
        changelogFiles = files(true, verifiedView.changelogFiles());
        List<CheckedIndexFile> indexes = new ArrayList<>();
        verifiedView.newIndexFiles().forEach(file -> indexes.add(new CheckedIndexFile(this, file)));
        indexFiles = Collections.unmodifiableList(indexes);
    }

    private List<CheckedFile> files(boolean changelog, List<FileView> views) {
        List<CheckedFile> files = new ArrayList<>(views.size());
        for (FileView file : views) {
            files.add(new CheckedFile(this, changelog, files.size(), file));
        }
        return Collections.unmodifiableList(files);
    }

    /** Paimon decoded the bytes and writes the same ones. */
    public void decoded(CommitMessage message) {
        decoded = message;
    }

    /** The partition row is sound, and Paimon keeps its bucket in this folder. */
    public void located(BinaryRow partitionRow, String text, Path path) {
        partition = partitionRow;
        partitionText = text;
        bucketPath = path;
    }

    public Optional<MessageView> view() {
        return Optional.ofNullable(view);
    }

    public Optional<CommitMessage> decoded() {
        return Optional.ofNullable(decoded);
    }

    public Optional<BinaryRow> partition() {
        return Optional.ofNullable(partition);
    }

    public Optional<Path> bucketPath() {
        return Optional.ofNullable(bucketPath);
    }

    /** New data files. */
    public List<CheckedFile> newFiles() {
        return newFiles;
    }

    public List<CheckedFile> changelogFiles() {
        return changelogFiles;
    }

    public List<CheckedIndexFile> indexFiles() {
        return indexFiles;
    }

    public String where() {
        StringBuilder where = new StringBuilder("message " + (index + 1) + " of " + total);
        if (envelope.task() >= 0) {
            where.append(", task ").append(envelope.task());
        }
        if (partitionText != null && !partitionText.isEmpty()) {
            where.append(", partition ").append(partitionText);
        }
        if (view != null) {
            where.append(", bucket ").append(view.bucket());
        }
        return where.toString();
    }
}
