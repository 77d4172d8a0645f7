package org.paimonbridge.verify;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** A verified message: everything the checks look at, read from the bytes themselves. */
public final class MessageView {

    private final byte[] partition;
    private final int bucket;
    private final OptionalInt totalBuckets;
    private final Map<String, List<FileView>> files;
    private final Map<String, List<IndexFileView>> indexFiles;

    MessageView(
            byte[] partition,
            int bucket,
            OptionalInt totalBuckets,
            Map<String, List<FileView>> files,
            Map<String, List<IndexFileView>> indexFiles) {
        this.partition = partition;
        this.bucket = bucket;
        this.totalBuckets = totalBuckets;
        this.files = Collections.unmodifiableMap(files);
        this.indexFiles = Collections.unmodifiableMap(indexFiles);
    }

    /** The partition row: field count, then the raw row. */
    public byte[] partition() {
        return partition;
    }

    public int bucket() {
        return bucket;
    }

    /** The bucket count the writer assumed; empty where the table's option is meant. */
    public OptionalInt totalBuckets() {
        return totalBuckets;
    }

    public List<FileView> newFiles() {
        return files.get("newFiles");
    }

    public List<FileView> changelogFiles() {
        return files.get("changelogFiles");
    }

    /** Index files that come with the new files; a message that compacts too may have others. */
    public List<IndexFileView> newIndexFiles() {
        return indexFiles.get("newIndexFiles");
    }

    /** Every list of data files that this version has, by its name in Paimon. */
    public Map<String, List<FileView>> fileLists() {
        return files;
    }

    public Map<String, List<IndexFileView>> indexFileLists() {
        return indexFiles;
    }
}
