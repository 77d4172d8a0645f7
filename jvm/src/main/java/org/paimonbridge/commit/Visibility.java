package org.paimonbridge.commit;

import org.apache.paimon.table.FileStoreTable;
import org.paimonbridge.release.PaimonRelease;

/** Whether a reader sees level-0 files at once. In some kinds of primary-key tables they wait for a compaction. */
final class Visibility {

    private static final Visibility AT_ONCE = new Visibility(true, "");

    private final boolean visible;
    private final String hint;

    private Visibility(boolean visible, String hint) {
        this.visible = visible;
        this.hint = hint;
    }

    static Visibility of(FileStoreTable table) {
        if (table.primaryKeys().isEmpty()) {
            return AT_ONCE;
        }
        if (PaimonRelease.bucketMode(table).equals("POSTPONE_MODE")) {
            return later("a postpone table (bucket = -2)");
        }
        if (isTrue(table, "deletion-vectors.enabled") && !isTrue(table, "deletion-vectors.merge-on-read")) {
            return later("a table with deletion vectors");
        }
        if ("first-row".equals(table.options().get("merge-engine"))) {
            return later("a first-row table");
        }
        return AT_ONCE;
    }

    private static Visibility later(String kind) {
        return new Visibility(false, "Rows committed to " + kind + " become visible when it is compacted; run a compaction.");
    }

    private static boolean isTrue(FileStoreTable table, String option) {
        return Boolean.parseBoolean(table.options().getOrDefault(option, "false"));
    }

    boolean visible() {
        return visible;
    }

    String hint() {
        return hint;
    }
}
