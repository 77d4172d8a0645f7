package org.paimonbridge.commit;

import java.util.Locale;

/**
 * What an exception out of Paimon's commit means, told by where it was thrown and not by its text.
 *
 * <p>Paimon publishes a snapshot in {@code FileStoreCommitImpl.commitSnapshotImpl} (1.0 to 2.0). An exception that passed through it may
 * belong to a write that still arrives, on an object store even later; one that did not was thrown before, or between attempts.
 */
final class Failure {

    private static final String PUBLISHING = "commitSnapshotImpl";

    private Failure() {}

    static boolean whilePublishing(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            for (StackTraceElement frame : cause.getStackTrace()) {
                if (frame.getMethodName().equals(PUBLISHING)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Thrown by Paimon's conflict detection, or after losing the race for the next snapshot too often. */
    static boolean isConflict(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            for (StackTraceElement frame : cause.getStackTrace()) {
                if ((frame.getClassName() + "." + frame.getMethodName()).toLowerCase(Locale.ROOT).contains("conflict")) {
                    return true;
                }
            }
        }
        return lostTooManyRaces(error);
    }

    /** The frame on top is the retry loop itself: no attempt failed with an exception, all of them came second. */
    private static boolean lostTooManyRaces(Throwable error) {
        StackTraceElement[] frames = error.getStackTrace();
        return error.getCause() == null && frames.length > 0 && frames[0].getMethodName().equals("tryCommit");
    }
}
