package org.paimonbridge.commit;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.apache.paimon.data.Decimal;
import org.apache.paimon.partition.PartitionPredicate;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.InternalRowPartitionComputer;
import org.paimonbridge.check.CheckedMessage;
import org.paimonbridge.error.CommitErrors;
import org.paimonbridge.error.Errors;

/**
 * What a commit replaces. Paimon alone takes a static partition and then, by its default, ignores it; here the mode that was asked for
 * is the one that happens. The whole table is emptied only when that is asked for by name.
 */
public final class Overwrite {

    /** The four things a commit can do to rows that are there. */
    enum Mode {
        /** Nothing: an append. */
        NONE,
        /** Replace the partitions that the new files lie in; without new files nothing happens. */
        DYNAMIC,
        /** Replace the partitions that have the stated values; without new files they are emptied. */
        STATIC,
        /** Replace everything; without new files the table is emptied. */
        TRUNCATE
    }

    private final Mode mode;
    private final Map<String, String> spec;
    private final PartitionPredicate filter;

    private Overwrite(Mode mode, Map<String, String> spec, PartitionPredicate filter) {
        this.mode = mode;
        this.spec = spec;
        this.filter = filter;
    }

    /** Reads {@code {"mode": "dynamic" | "static" | "truncate", "partition": {column: text or null}}}; absent means an append. */
    static Overwrite of(String name, FileStoreTable table, JsonNode json) {
        if (json.isMissingNode() || json.isNull()) {
            return new Overwrite(Mode.NONE, Collections.emptyMap(), null);
        }
        Mode mode = mode(json.path("mode").asText());
        if (mode != Mode.STATIC) {
            return new Overwrite(mode, Collections.emptyMap(), null);
        }
        if (table.partitionKeys().isEmpty()) {
            throw CommitErrors.overwriteNotPartitioned(name);
        }
        Map<String, String> spec = new LinkedHashMap<>();
        String nullName = nullName(table);
        json.path("partition")
                .fields()
                .forEachRemaining(entry -> spec.put(entry.getKey(), entry.getValue().isNull() ? nullName : entry.getValue().asText()));
        if (spec.isEmpty() || !table.partitionKeys().containsAll(spec.keySet())) {
            throw CommitErrors.overwriteColumns(name, spec.keySet(), table.partitionKeys());
        }
        return new Overwrite(mode, spec, filter(name, table, spec, nullName));
    }

    private static Mode mode(String text) {
        for (Mode mode : Mode.values()) {
            if (mode != Mode.NONE && mode.name().toLowerCase(Locale.ROOT).equals(text)) {
                return mode;
            }
        }
        throw Errors.badRequest("\"" + text + "\" is no way to overwrite; there are dynamic, static and truncate");
    }

    private static PartitionPredicate filter(String name, FileStoreTable table, Map<String, String> spec, String nullName) {
        RowType type = table.schema().logicalPartitionType();
        try {
            requireExact(spec, InternalRowPartitionComputer.convertSpecToInternal(spec, type, nullName), nullName);
            return PartitionPredicate.fromPredicate(type, PartitionPredicate.createPartitionPredicate(spec, type, nullName));
        } catch (RuntimeException e) {
            throw CommitErrors.overwriteValue(name, spec, e);
        }
    }

    /** Paimon rounds decimals, and takes those that do not fit for null: it would replace the partition of another value. */
    private static void requireExact(Map<String, String> spec, Map<String, Object> values, String nullName) {
        spec.forEach(
                (column, text) -> {
                    Object value = values.get(column);
                    boolean rounded = value instanceof Decimal && new BigDecimal(text).compareTo(((Decimal) value).toBigDecimal()) != 0;
                    if (rounded || value == null && !text.equals(nullName)) {
                        throw new IllegalArgumentException(text + " does not fit the type of " + column);
                    }
                });
    }

    /** What Paimon writes for a null in a partition's path, and reads back as one in a static partition. */
    private static String nullName(FileStoreTable table) {
        return table.coreOptions().partitionDefaultName();
    }

    boolean replaces() {
        return mode != Mode.NONE;
    }

    /** Whether there is something to do without any new file. */
    boolean removesAlone() {
        return mode == Mode.STATIC || mode == Mode.TRUNCATE;
    }

    Mode mode() {
        return mode;
    }

    /** The values as Paimon is told them; empty unless the mode is static. */
    Map<String, String> spec() {
        return spec;
    }

    /** The table with the one option that decides between dynamic and static set to what was asked for. */
    FileStoreTable configured(FileStoreTable table) {
        if (mode == Mode.NONE) {
            return table;
        }
        return table.copy(Collections.singletonMap("dynamic-partition-overwrite", String.valueOf(mode == Mode.DYNAMIC)));
    }

    /** Null where every partition is meant. */
    PartitionPredicate filter() {
        return filter;
    }

    /** For people: {@code dynamic}, {@code truncate}, or the stated partition; empty for an append. */
    String describe() {
        if (mode == Mode.STATIC) {
            return spec.entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue()).collect(Collectors.joining(", "));
        }
        return mode == Mode.NONE ? "" : mode.name().toLowerCase(Locale.ROOT);
    }

    /** New files outside the stated partition are an error that names every such partition. */
    void requireInside(String name, FileStoreTable table, List<CheckedMessage> messages) {
        if (mode != Mode.STATIC) {
            return;
        }
        PartitionText texts = new PartitionText(table);
        Set<String> outside = new TreeSet<>();
        for (CheckedMessage message : messages) {
            if (message.partition().isPresent() && !filter.test(message.partition().get())) {
                outside.add(texts.of(message.partition().get()));
            }
        }
        if (!outside.isEmpty()) {
            throw CommitErrors.outsideOverwrite(name, spec, new ArrayList<>(outside));
        }
    }
}
