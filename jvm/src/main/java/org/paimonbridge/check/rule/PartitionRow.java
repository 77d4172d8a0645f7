package org.paimonbridge.check.rule;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.paimon.codegen.CodeGenUtils;
import org.apache.paimon.codegen.Projection;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.fs.Path;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.FileStorePathFactory;
import org.apache.paimon.utils.SerializationUtils;
import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedMessage;
import org.paimonbridge.check.Findings;
import org.paimonbridge.verify.MalformedBytesException;
import org.paimonbridge.verify.TableRows;

/** The partition row has the table's partition types in their one canonical form: Paimon compares partitions by their bytes. */
public final class PartitionRow implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        RowType type = context.table().schema().logicalPartitionType();
        TableRows rows = TableRows.of(type.getFields());
        // What Java's own writers make their partition rows with.
        Projection projection = CodeGenUtils.newProjection(type, type.getFieldNames());
        FileStorePathFactory paths = context.table().store().pathFactory();
        Map<List<Object>, Place> places = new HashMap<>();
        for (CheckedMessage message : context.messages()) {
            if (!message.view().isPresent()) {
                continue;
            }
            findings.checked(1);
            byte[] bytes = message.view().get().partition();
            try {
                rows.verify(bytes);
            } catch (MalformedBytesException e) {
                findings.error(
                        message, "The partition row does not fit the partition keys " + type.getFieldNames() + ": " + e.getMessage());
                continue;
            }
            BinaryRow partition = SerializationUtils.deserializeBinaryRow(bytes);
            if (!Arrays.equals(SerializationUtils.serializeBinaryRow(projection.apply(partition)), bytes)) {
                findings.error(message, "Paimon would write the same partition values as other bytes.");
                continue;
            }
            int bucket = message.view().get().bucket();
            Place place = places.computeIfAbsent(Arrays.asList(partition, bucket), key -> new Place(paths, partition, bucket));
            message.located(partition, place.text, place.bucketPath);
        }
    }

    /** Many messages are for one bucket, and paths are dear to make. */
    private static final class Place {
        private final String text;
        private final Path bucketPath;

        Place(FileStorePathFactory paths, BinaryRow partition, int bucket) {
            String folders = paths.getPartitionString(partition);
            text = folders.endsWith("/") ? folders.substring(0, folders.length() - 1) : folders;
            bucketPath = paths.bucketPath(partition, bucket);
        }
    }
}
