package org.paimonbridge.check;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Where one rule puts what it finds, and how often it looked. Rules run one after the other, so this needs no lock. */
public final class Findings {

    private final Rule rule;
    private final List<Finding> found = new ArrayList<>();
    private int checked;
    private long millis;

    Findings(Rule rule) {
        this.rule = rule;
    }

    public void checked(int subjects) {
        checked += subjects;
    }

    /** The call as a whole is wrong. */
    public void error(String message, String where) {
        found.add(new Finding(rule, Finding.Severity.ERROR, message, where, null, null));
    }

    public void error(CheckedMessage subject, String message) {
        found.add(new Finding(rule, Finding.Severity.ERROR, message, subject.where(), null, subject.index()));
    }

    public void error(CheckedFile subject, String message) {
        if (rule.level() == Level.OFF) {
            subject.distrust();
        }
        found.add(
                new Finding(
                        rule, Finding.Severity.ERROR, message, subject.where(), subject.name(), subject.message().index()));
    }

    public void error(CheckedIndexFile subject, String message) {
        found.add(
                new Finding(
                        rule,
                        Finding.Severity.ERROR,
                        message,
                        subject.where(),
                        subject.view().name(),
                        subject.message().index()));
    }

    void took(long time) {
        millis = time;
    }

    public Rule rule() {
        return rule;
    }

    public int checked() {
        return checked;
    }

    /** Facts that several rules share, such as the look at the files, count for the first one that asks. */
    public long millis() {
        return millis;
    }

    public List<Finding> list() {
        return Collections.unmodifiableList(found);
    }
}
