package org.paimonbridge.error;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** A failure the caller is meant to understand: what happened, where, and what to do. Made by {@link Errors} only. */
public final class BridgeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ErrorKind kind;
    private final String code;
    private final String where;
    private final String remedy;
    private final transient Map<String, Object> details;

    BridgeException(
            ErrorKind kind,
            String code,
            String message,
            String where,
            String remedy,
            Map<String, Object> details,
            Throwable cause) {
        super(Objects.requireNonNull(message), cause);
        this.kind = Objects.requireNonNull(kind);
        this.code = Objects.requireNonNull(code);
        this.where = Objects.requireNonNull(where);
        this.remedy = Objects.requireNonNull(remedy);
        this.details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }

    public ErrorKind kind() {
        return kind;
    }

    public String code() {
        return code;
    }

    public String where() {
        return where;
    }

    public String remedy() {
        return remedy;
    }

    public Map<String, Object> details() {
        return details;
    }
}
