package org.paimonbridge.check;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** One thing that is wrong: what, where, and what to do. */
public final class Finding {

    /** A warning does not keep the commit from happening. */
    public enum Severity {
        ERROR,
        WARNING
    }

    private final Rule rule;
    private final Severity severity;
    private final String message;
    private final String where;
    private final String file;
    private final Integer messageIndex;

    Finding(Rule rule, Severity severity, String message, String where, String file, Integer messageIndex) {
        this.rule = Objects.requireNonNull(rule);
        this.severity = Objects.requireNonNull(severity);
        this.message = Objects.requireNonNull(message);
        this.where = Objects.requireNonNull(where);
        this.file = file;
        this.messageIndex = messageIndex;
    }

    public Rule rule() {
        return rule;
    }

    public Severity severity() {
        return severity;
    }

    public String message() {
        return message;
    }

    public String where() {
        return where;
    }

    public Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("rule", rule.name());
        map.put("severity", severity.name());
        map.put("message", message);
        map.put("where", where);
        map.put("remedy", rule.remedy());
        if (file != null) {
            map.put("file", file);
        }
        if (messageIndex != null) {
            map.put("messageIndex", messageIndex);
        }
        return map;
    }

    @Override
    public String toString() {
        return "[" + rule + "] " + message + " (" + where + ")";
    }
}
