package org.paimonbridge.verify;

/** Bytes that are not what their layout says. Carries the byte offset and, once it has passed the enclosing rows, the dotted path. */
public final class MalformedBytesException extends Exception {

    private static final long serialVersionUID = 1L;

    private final int offset;
    private final String reason;
    private final String path;

    /** For readers of other layouts that are built on {@link ByteCursor}. */
    public static MalformedBytesException at(int offset, String reason) {
        return new MalformedBytesException(offset, reason);
    }

    MalformedBytesException(int offset, String reason) {
        this(offset, reason, "");
    }

    private MalformedBytesException(int offset, String reason, String path) {
        // Without a stack trace: the path says more, and a million refusals a minute must stay cheap.
        super(reason, null, false, false);
        this.offset = offset;
        this.reason = reason;
        this.path = path;
    }

    /** The same fault, seen from the row or list that holds it. Paths are built here, so that good bytes never pay for them. */
    MalformedBytesException within(String name) {
        String longer = path.isEmpty() || path.startsWith("[") ? name + path : name + "." + path;
        return new MalformedBytesException(offset, reason, longer);
    }

    public int offset() {
        return offset;
    }

    public String reason() {
        return reason;
    }

    public String path() {
        return path;
    }

    @Override
    public String getMessage() {
        return (path.isEmpty() ? "" : path + ": ") + reason + " (byte " + offset + ")";
    }
}
