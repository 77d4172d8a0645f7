package org.paimonbridge.error;

/** The family of an error: what it means for the table, and which exception Python raises. */
public enum ErrorKind {
    /** The table is absent, already there, or of a kind that cannot be written. */
    TABLE,
    /** The call or the class path is wrong: a bad argument, a missing class, an unreadable hand-over file. */
    SHIM,
    /** Bytes are not what they claim to be. */
    CODEC,
    /** The gate refused; nothing was committed, and every finding is in the report. */
    CONFORMANCE,
    /** Another commit stands in the way; this one is known not to be in the table. */
    CONFLICT,
    /** The snapshot may or may not exist: look before retrying, and delete nothing. */
    UNKNOWN,
    /** The commit failed for another reason and is known not to be in the table. */
    COMMIT,
    /** A defect of the shim, or of something below it that nobody foresaw. */
    INTERNAL
}
