package org.paimonbridge.verify;

import java.util.Optional;

/** An index file as a verified message describes it. */
public final class IndexFileView {

    private final Object[] row;

    IndexFileView(Object[] row) {
        this.row = row;
    }

    /** {@code HASH}, {@code DELETION_VECTORS}, or the name of a global index. */
    public String type() {
        return (String) row[0];
    }

    public String name() {
        return (String) row[1];
    }

    public long size() {
        return (Long) row[2];
    }

    public long rowCount() {
        return (Long) row[3];
    }

    public Optional<String> externalPath() {
        return Optional.ofNullable(row.length > 5 ? (String) row[5] : null);
    }
}
