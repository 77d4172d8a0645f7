package org.paimonbridge.commit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.apache.paimon.Snapshot;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.table.FileStoreTable;
import org.paimonbridge.release.PaimonRelease;

/**
 * Which of some file names any snapshot, tag or changelog, on any branch, mentions. Each manifest is read once. Names are compared
 * without their folder: a name that is in use anywhere is left alone everywhere.
 */
final class ReferencedFiles {

    private static final String MAIN = "main";

    private final Set<String> wanted;
    private final Map<String, String> holders = new HashMap<>();
    private final Set<String> manifestsRead = new HashSet<>();

    private ReferencedFiles(Set<String> wanted) {
        this.wanted = wanted;
    }

    /** Name to the holder that mentions it, for those of {@code names} that are mentioned. */
    static Map<String, String> among(FileStoreTable table, Set<String> names) {
        ReferencedFiles files = new ReferencedFiles(names);
        // The table may be a branch itself, and no branch lists the main one among its own.
        FileStoreTable main = table.switchToBranch(MAIN);
        files.collect(main, "");
        for (String branch : PaimonRelease.branches(main)) {
            files.collect(main.switchToBranch(branch), " of branch " + branch);
        }
        return files.holders;
    }

    private void collect(FileStoreTable table, String suffix) {
        List<Snapshot> snapshots;
        try {
            snapshots = table.snapshotManager().safelyGetAllSnapshots();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (Snapshot snapshot : snapshots) {
            collect(table, snapshot, "snapshot " + snapshot.id() + suffix);
        }
        for (Snapshot tagged : table.tagManager().taggedSnapshots()) {
            collect(table, tagged, "a tag of snapshot " + tagged.id() + suffix);
        }
        for (Snapshot changelog : PaimonRelease.changelogs(table)) {
            // Of an expired snapshot only the list that feeds the changelog is kept.
            List<ManifestFileMeta> manifests =
                    changelog.changelogManifestList() == null
                            ? table.store().manifestListFactory().create().readDeltaManifests(changelog)
                            : table.store().manifestListFactory().create().readChangelogManifests(changelog);
            collect(table, manifests, "changelog " + changelog.id() + suffix);
        }
    }

    private void collect(FileStoreTable table, Snapshot snapshot, String holder) {
        collect(table, table.store().manifestListFactory().create().readAllManifests(snapshot), holder);
        String indexManifest = snapshot.indexManifest();
        if (indexManifest != null && manifestsRead.add(indexManifest)) {
            for (IndexManifestEntry entry : table.store().indexManifestFileFactory().create().read(indexManifest)) {
                mention(entry.indexFile().fileName(), holder);
            }
        }
    }

    private void collect(FileStoreTable table, List<ManifestFileMeta> manifests, String holder) {
        for (ManifestFileMeta manifest : manifests) {
            if (manifestsRead.add(manifest.fileName())) {
                for (FileEntry entry : table.store().manifestFileFactory().create().read(manifest.fileName())) {
                    mention(entry.fileName(), holder);
                    entry.extraFiles().forEach(extra -> mention(extra, holder));
                }
            }
        }
    }

    private void mention(String name, String holder) {
        if (wanted.contains(name)) {
            holders.putIfAbsent(name, holder);
        }
    }
}
