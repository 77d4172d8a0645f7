package org.paimonbridge.check.scan;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.apache.paimon.data.InternalRow;
import org.apache.paimon.table.sink.FixedBucketRowKeyExtractor;
import org.paimonbridge.check.Rule;

/** Every row belongs to the bucket of its message, by Paimon's own function. */
final class BucketWatch implements RowWatch {

    private final FixedBucketRowKeyExtractor extractor;
    private final int bucket;
    private long strangers;
    private int example;

    BucketWatch(ScanTask task) {
        Map<String, String> options = new HashMap<>(task.schema().options());
        options.put("bucket", String.valueOf(task.buckets()));
        extractor = new FixedBucketRowKeyExtractor(task.schema().copy(options));
        bucket = task.bucket();
    }

    @Override
    public Rule rule() {
        return Rule.ROW_BUCKET;
    }

    @Override
    public void see(InternalRow row) {
        extractor.setRecord(row);
        int own = extractor.bucket();
        if (own != bucket) {
            strangers++;
            example = own;
        }
    }

    @Override
    public Optional<String> problem() {
        return strangers == 0
                ? Optional.empty()
                : Optional.of(strangers + " rows belong to other buckets than " + bucket + ", such as " + example + ".");
    }
}
