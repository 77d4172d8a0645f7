package org.paimonbridge.check;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

import org.paimonbridge.check.rule.AddOnly;
import org.paimonbridge.check.rule.Bucket;
import org.paimonbridge.check.rule.BytesWellFormed;
import org.paimonbridge.check.rule.ChangelogComplete;
import org.paimonbridge.check.rule.FileColumns;
import org.paimonbridge.check.rule.FileCounts;
import org.paimonbridge.check.rule.FileExists;
import org.paimonbridge.check.rule.FileLevel;
import org.paimonbridge.check.rule.FileName;
import org.paimonbridge.check.rule.FileNotInTable;
import org.paimonbridge.check.rule.FileRowCount;
import org.paimonbridge.check.rule.FileSize;
import org.paimonbridge.check.rule.FileUnique;
import org.paimonbridge.check.rule.InRows;
import org.paimonbridge.check.rule.IndexContent;
import org.paimonbridge.check.rule.IndexFile;
import org.paimonbridge.check.rule.KeyBounds;
import org.paimonbridge.check.rule.KeyRow;
import org.paimonbridge.check.rule.MessageVersion;
import org.paimonbridge.check.rule.NotNull;
import org.paimonbridge.check.rule.OneAttemptPerTask;
import org.paimonbridge.check.rule.PartitionRow;
import org.paimonbridge.check.rule.PostponeName;
import org.paimonbridge.check.rule.ReserializesIdentically;
import org.paimonbridge.check.rule.SchemaId;
import org.paimonbridge.check.rule.SequenceAhead;
import org.paimonbridge.check.rule.SequenceDisjoint;
import org.paimonbridge.check.rule.StatsShape;
import org.paimonbridge.check.rule.TableIdentity;
import org.paimonbridge.check.rule.TableKind;

/** Who does the work of each rule. The order is that of {@link Rule}: a rule may rely on what the ones before it established. */
final class Checks {

    static final Map<Rule, Check> BY_RULE;

    static {
        Map<Rule, Check> checks = new EnumMap<>(Rule.class);
        checks.put(Rule.MESSAGE_VERSION, new MessageVersion());
        checks.put(Rule.BYTES_WELL_FORMED, new BytesWellFormed());
        checks.put(Rule.RESERIALIZES_IDENTICALLY, new ReserializesIdentically());
        checks.put(Rule.TABLE_IDENTITY, new TableIdentity());
        checks.put(Rule.ONE_ATTEMPT_PER_TASK, new OneAttemptPerTask());
        checks.put(Rule.TABLE_KIND, new TableKind());
        checks.put(Rule.ADD_ONLY, new AddOnly());
        checks.put(Rule.PARTITION_ROW, new PartitionRow());
        checks.put(Rule.KEY_ROW, new KeyRow());
        checks.put(Rule.STATS_SHAPE, new StatsShape());
        checks.put(Rule.FILE_NAME, new FileName());
        checks.put(Rule.POSTPONE_NAME, new PostponeName());
        checks.put(Rule.INDEX_FILE, new IndexFile());
        checks.put(Rule.BUCKET, new Bucket());
        checks.put(Rule.SCHEMA_ID, new SchemaId());
        checks.put(Rule.FILE_LEVEL, new FileLevel());
        checks.put(Rule.FILE_UNIQUE, new FileUnique());
        checks.put(Rule.FILE_NOT_IN_TABLE, new FileNotInTable());
        checks.put(Rule.SEQUENCE_AHEAD, new SequenceAhead());
        checks.put(Rule.SEQUENCE_DISJOINT, new SequenceDisjoint());
        checks.put(Rule.CHANGELOG_COMPLETE, new ChangelogComplete());
        checks.put(Rule.FILE_EXISTS, new FileExists());
        checks.put(Rule.FILE_SIZE, new FileSize());
        checks.put(Rule.FILE_ROW_COUNT, new FileRowCount());
        checks.put(Rule.FILE_COLUMNS, new FileColumns());
        checks.put(Rule.NOT_NULL, new InRows(new NotNull()));
        checks.put(Rule.KEY_BOUNDS, new InRows(new KeyBounds()));
        checks.put(Rule.SEQUENCE_RANGE, new InRows(FileCounts.sequences()));
        checks.put(Rule.DELETE_COUNT, new InRows(FileCounts.deletes()));
        checks.put(Rule.INDEX_CONTENT, new InRows(new IndexContent()));
        for (Rule rule :
                new Rule[] {Rule.FILE_READS, Rule.STATS_TRUE, Rule.ROW_PARTITION, Rule.ROW_BUCKET, Rule.KEY_ORDER, Rule.KEY_COLUMNS, Rule.ROW_KIND}) {
            checks.put(rule, new InRows());
        }
        BY_RULE = Collections.unmodifiableMap(checks);
    }

    private Checks() {}
}
