package org.paimonbridge.commit;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import org.apache.paimon.Snapshot;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.tag.Tag;
import org.paimonbridge.error.CommitErrors;
import org.paimonbridge.json.Json;
import org.paimonbridge.release.PaimonRelease;

/** What a commit writes beside its files: a watermark and properties into the snapshot, and a tag that keeps the snapshot. */
final class SnapshotNotes {

    // The name becomes a file name, and Paimon takes a number for a snapshot id.
    private static final Pattern TAG_NAME = Pattern.compile("(?![0-9]+$)(?!\\.{1,2}$)[^/\\\\\\p{Cntrl}]{1,200}");

    private final String tag;
    private final Map<String, String> properties;
    private final Long watermark;

    private SnapshotNotes(String tag, Map<String, String> properties, Long watermark) {
        this.tag = tag;
        this.properties = properties;
        this.watermark = watermark;
    }

    static SnapshotNotes parse(JsonNode request) {
        String tag = Json.text(request, "tag", null);
        if (tag != null && (tag.trim().isEmpty() || !TAG_NAME.matcher(tag).matches())) {
            throw CommitErrors.badTagName(tag);
        }
        JsonNode properties = request.path("properties");
        JsonNode watermark = request.path("watermark");
        SnapshotNotes notes =
                new SnapshotNotes(
                        tag,
                        properties.isObject() ? Json.stringMap("the properties", properties) : Collections.emptyMap(),
                        watermark.isIntegralNumber() ? watermark.asLong() : null);
        if (!notes.properties.isEmpty() && !PaimonRelease.hasSnapshotProperties()) {
            throw CommitErrors.releaseLacks("properties of snapshots", "1.2", PaimonRelease.version());
        }
        return notes;
    }

    ManifestCommittable committable(long identifier, List<CommitMessage> messages) {
        ManifestCommittable committable = new ManifestCommittable(identifier, watermark);
        messages.forEach(committable::addFileCommittable);
        properties.forEach((key, value) -> PaimonRelease.addProperty(committable, key, value));
        return committable;
    }

    /** Before anything is committed: a tag of that name may be there only if it is this commit's own. */
    void requireFree(String name, FileStoreTable table, List<Snapshot> ours) {
        Optional<Tag> present = tag == null ? Optional.empty() : table.tagManager().get(tag);
        if (present.isPresent() && ours.stream().noneMatch(snapshot -> snapshot.id() == present.get().id())) {
            throw CommitErrors.tagTaken(name, tag, present.get().id());
        }
    }

    /** Tags the snapshot unless that was done before. Answers what went wrong, or null: the snapshot is there in any case. */
    String tag(FileStoreTable table, long snapshotId) {
        if (tag == null || table.tagManager().get(tag).isPresent()) {
            return null;
        }
        try {
            table.createTag(tag, snapshotId);
            return null;
        } catch (RuntimeException e) {
            return "The snapshot exists, but not its tag " + tag + "; the same commit again makes it: " + e;
        }
    }

    /** Null where none was asked for. */
    String tagName() {
        return tag;
    }
}
