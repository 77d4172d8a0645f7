package org.paimonbridge.check;

import java.util.Locale;

import org.paimonbridge.error.Errors;

/** How much the gate looks at. */
public enum Level {
    /** Only what keeps the JVM, other tables and the file system safe; it needs nothing but the message and the schema. */
    OFF,
    /** Everything that metadata and file footers tell. */
    FAST,
    /** Also reads every row of every new file with Paimon's own reader. */
    FULL;

    public static Level parse(String text) {
        for (Level level : values()) {
            if (level.name().toLowerCase(Locale.ROOT).equals(text)) {
                return level;
            }
        }
        throw Errors.badRequest("\"" + text + "\" is no level of checking; there are off, fast and full");
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
