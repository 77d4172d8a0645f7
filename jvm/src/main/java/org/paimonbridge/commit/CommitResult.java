package org.paimonbridge.commit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import org.paimonbridge.report.ConformanceReport;

/** How a commit ended, when it ended well. */
public final class CommitResult {

    /** The three good ends; every other end is an error that says what is known. */
    public enum Status {
        COMMITTED,
        ALREADY_COMMITTED,
        /** There was nothing to add, so no snapshot was made. */
        EMPTY
    }

    private final Status status;
    private final Settled settled;
    private final String commitUser;
    private final long identifier;
    private final Visibility visibility;
    private final String warning;
    private final ConformanceReport report;
    private final Map<String, Long> millis;

    CommitResult(
            Status status,
            Settled settled,
            String commitUser,
            long identifier,
            Visibility visibility,
            String warning,
            ConformanceReport report,
            Map<String, Long> millis) {
        this.status = Objects.requireNonNull(status);
        this.settled = settled;
        this.commitUser = Objects.requireNonNull(commitUser);
        this.identifier = identifier;
        this.visibility = Objects.requireNonNull(visibility);
        this.warning = warning;
        this.report = Objects.requireNonNull(report);
        this.millis = new LinkedHashMap<>(millis);
    }

    public Status status() {
        return status;
    }

    /** Null where nothing was committed. */
    public Long snapshotId() {
        return settled == null ? null : settled.snapshotId();
    }

    public ConformanceReport report() {
        return report;
    }

    /** What went wrong although the snapshot exists, such as a failing callback; null in the usual case. */
    public String warning() {
        return warning;
    }

    public Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("status", status.name());
        map.put("snapshotId", snapshotId());
        map.put("commitUser", commitUser);
        map.put("identifier", identifier);
        map.put("files", report.files());
        map.put("rows", report.rows());
        map.put("bytes", report.bytes());
        if (settled != null) {
            settled.describe(report.rows(), map);
        }
        map.put("visible", visibility.visible());
        if (!visibility.visible()) {
            map.put("hint", visibility.hint());
        }
        if (warning != null) {
            map.put("warning", warning);
        }
        map.put("report", report.toMap());
        map.put("millis", millis);
        return map;
    }
}
