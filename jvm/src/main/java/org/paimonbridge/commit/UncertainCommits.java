package org.paimonbridge.commit;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Commits of this JVM whose end is not known. While there is one, nothing of its commit user is deleted from that table: the snapshot
 * may still appear, and would then be without its files. A later commit of the same identity that ends one way or the other settles it.
 */
final class UncertainCommits {

    private static final Map<String, Set<Long>> IDENTIFIERS = new HashMap<>();

    private UncertainCommits() {}

    static synchronized void add(String tablePath, String user, long identifier) {
        IDENTIFIERS.computeIfAbsent(key(tablePath, user), key -> new TreeSet<>()).add(identifier);
    }

    static synchronized void settle(String tablePath, String user, long identifier) {
        IDENTIFIERS.computeIfPresent(
                key(tablePath, user),
                (key, identifiers) -> {
                    identifiers.remove(identifier);
                    return identifiers.isEmpty() ? null : identifiers;
                });
    }

    static synchronized Set<Long> of(String tablePath, String user) {
        return new TreeSet<>(IDENTIFIERS.getOrDefault(key(tablePath, user), Collections.emptySet()));
    }

    private static String key(String tablePath, String user) {
        return tablePath + "\n" + user;
    }
}
