package org.paimonbridge.check;

/** What the call wants to do with the files. It is an argument of the call, never of a message. */
public enum Intent {
    /** Add to what is there. */
    APPEND,
    /** Replace every partition that the messages touch: bucket counts, sequence numbers and indexes start afresh. */
    OVERWRITE
}
