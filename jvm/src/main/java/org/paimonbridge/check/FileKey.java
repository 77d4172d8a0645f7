package org.paimonbridge.check;

import java.util.Base64;

import org.apache.paimon.data.BinaryRow;

/** What tells data files of one table apart: partition, bucket and name. */
public final class FileKey {

    private FileKey() {}

    /** The partition counts by its bytes, as for Paimon; rows that print alike can be different partitions. */
    public static String of(BinaryRow partition, int bucket, String name) {
        return Base64.getEncoder().encodeToString(partition.toBytes()) + "/" + bucket + "/" + name;
    }
}
