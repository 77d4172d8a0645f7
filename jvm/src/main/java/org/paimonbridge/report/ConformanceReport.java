package org.paimonbridge.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedFile;
import org.paimonbridge.check.Finding;
import org.paimonbridge.check.Findings;
import org.paimonbridge.check.Level;

/** What the gate saw: sizes, every rule with its counts, every finding. It exists for passes and for refusals alike. */
public final class ConformanceReport {

    // A job of 100,000 lost files has one cause; the counts stay exact, the list stays readable.
    private static final int LISTED_FINDINGS = 1_000;

    private final String table;
    private final Level level;
    private final int messages;
    private final int files;
    private final long rows;
    private final long bytes;
    private final List<Finding> findings;
    private final List<Map<String, Object>> rules;
    private final long millis;

    public ConformanceReport(String table, Level level, CheckContext context, List<Findings> results, long millis) {
        this.table = table;
        this.level = level;
        this.messages = context.messages().size();
        List<CheckedFile> newFiles = context.newFiles();
        this.files = newFiles.size();
        this.rows = newFiles.stream().mapToLong(file -> file.view().rowCount()).sum();
        this.bytes = newFiles.stream().mapToLong(file -> file.view().size()).sum();
        List<Finding> all = new ArrayList<>();
        List<Map<String, Object>> counts = new ArrayList<>();
        for (Findings result : results) {
            all.addAll(result.list());
            Map<String, Object> count = new LinkedHashMap<>();
            count.put("id", result.rule().name());
            count.put("checked", result.checked());
            count.put("findings", result.list().size());
            count.put("millis", result.millis());
            counts.add(count);
        }
        this.findings = Collections.unmodifiableList(all);
        this.rules = Collections.unmodifiableList(counts);
        this.millis = millis;
    }

    public int files() {
        return files;
    }

    public long rows() {
        return rows;
    }

    public long bytes() {
        return bytes;
    }

    public List<Finding> findings() {
        return findings;
    }

    /** Findings that keep the commit from happening. */
    public int errors() {
        return (int) findings.stream().filter(finding -> finding.severity() == Finding.Severity.ERROR).count();
    }

    public Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("table", table);
        map.put("level", level.text());
        map.put("messages", messages);
        map.put("files", files);
        map.put("rows", rows);
        map.put("bytes", bytes);
        List<Map<String, Object>> listed = new ArrayList<>();
        // Errors first: whoever sees only the listed ones must not take a refusal for a pass.
        findings.stream()
                .sorted(Comparator.comparing(Finding::severity))
                .limit(LISTED_FINDINGS)
                .forEach(finding -> listed.add(finding.toMap()));
        map.put("findings", listed);
        map.put("findingsNotListed", findings.size() - listed.size());
        map.put("rules", rules);
        map.put("millis", millis);
        return map;
    }
}
