package org.paimonbridge.check.rule;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

import org.apache.paimon.data.BinaryRow;
import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedMessage;
import org.paimonbridge.check.Findings;
import org.paimonbridge.release.PaimonRelease;

/** The bucket and the bucket count fit the table: rows in a bucket that does not exist are found by no lookup. */
public final class Bucket implements Check {

    // Paimon keeps dynamic buckets as 16-bit numbers.
    private static final int LAST_DYNAMIC_BUCKET = Short.MAX_VALUE;
    private static final int POSTPONE_BUCKET = -2;

    @Override
    public void run(CheckContext context, Findings findings) {
        String mode = PaimonRelease.bucketMode(context.table());
        Map<BinaryRow, Integer> settled = new HashMap<>();
        for (CheckedMessage message : context.messages()) {
            if (!message.view().isPresent()) {
                continue;
            }
            findings.checked(1);
            int bucket = message.view().get().bucket();
            int buckets = expectedCount(context, mode, message, settled);
            if (!fits(mode, bucket, buckets)) {
                findings.error(message, "Bucket " + bucket + " does not exist: " + describe(mode, buckets) + ".");
            }
            OptionalInt stated = message.view().get().totalBuckets();
            if (stated.isPresent() && stated.getAsInt() != buckets) {
                findings.error(message, "The message assumes " + stated.getAsInt() + " buckets, the partition has " + buckets + ".");
            }
        }
    }

    private static int expectedCount(CheckContext context, String mode, CheckedMessage message, Map<BinaryRow, Integer> settled) {
        int option = context.table().schema().numBuckets();
        boolean real = message.view().get().bucket() >= 0;
        boolean postponed = mode.equals("POSTPONE_MODE") && !(real && takesRealBuckets(context));
        if (!message.partition().isPresent() || postponed) {
            return option;
        }
        boolean counted = mode.equals("HASH_FIXED") || mode.equals("POSTPONE_MODE");
        if (counted && !context.replacing()) {
            // A partition that was not rescaled with the table keeps the count of its files.
            OptionalInt live = context.live().bucketCount(message.partition().get());
            if (live.isPresent()) {
                return live.getAsInt();
            }
        }
        if (mode.equals("POSTPONE_MODE")) {
            // The first files in real buckets settle the count of their partition, for the other messages of the call too.
            int stated = message.view().get().totalBuckets().orElse(option);
            return settled.computeIfAbsent(message.partition().get(), partition -> Math.max(stated, 1));
        }
        return option;
    }

    /** Engines may write batches of a postpone table straight into buckets of a partition. */
    private static boolean takesRealBuckets(CheckContext context) {
        return !"false".equals(context.table().options().get("postpone.batch-write-fixed-bucket"));
    }

    private static boolean fits(String mode, int bucket, int buckets) {
        switch (mode) {
            case "BUCKET_UNAWARE":
                return bucket == 0;
            case "HASH_FIXED":
                return bucket >= 0 && bucket < buckets;
            case "POSTPONE_MODE":
                return bucket == POSTPONE_BUCKET || bucket >= 0 && bucket < buckets;
            default:
                return bucket >= 0 && bucket <= LAST_DYNAMIC_BUCKET;
        }
    }

    private static String describe(String mode, int buckets) {
        switch (mode) {
            case "BUCKET_UNAWARE":
                return "a table without buckets has bucket 0 only";
            case "HASH_FIXED":
                return "there are " + buckets + " buckets, from 0";
            case "POSTPONE_MODE":
                return "a postpone table takes bucket " + POSTPONE_BUCKET
                        + (buckets > 0 ? ", and " + buckets + " real ones from 0" : " only");
            default:
                return "dynamic buckets go from 0 to " + LAST_DYNAMIC_BUCKET;
        }
    }
}
