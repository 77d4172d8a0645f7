package org.paimonbridge.read;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.apache.paimon.data.InternalRow;
import org.apache.paimon.format.FileFormat;
import org.apache.paimon.format.FormatWriter;
import org.apache.paimon.format.FormatWriterFactory;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.options.Options;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.utils.CloseableIterator;
import org.paimonbridge.check.Parallel;
import org.paimonbridge.error.Errors;
import org.paimonbridge.table.FieldsJson;

/**
 * Reads a table with Paimon's reader and writes the rows as Parquet with Paimon's writer into a local folder, for round trips and
 * tests. Rows never cross the gateway. On failure the folder may hold files; it belongs to the caller.
 */
public final class TableReader {

    // Several files, so that reading is parallel; few, so that a table of many small splits does not become as many small files.
    private static final int MAX_FILES = 8;
    private static final String COMPRESSION = "zstd";

    private final FileStoreTable table;
    private final ReadBuilder builder;
    private final Path folder;

    private TableReader(FileStoreTable table, ReadBuilder builder, Path folder) {
        this.table = table;
        this.builder = builder;
        this.folder = folder;
    }

    public static Map<String, Object> read(String name, FileStoreTable latest, JsonNode request, String outputFolder) {
        FileStoreTable table = travelled(name, latest, request.path("snapshot"));
        ReadBuilder builder = table.newReadBuilder();
        JsonNode columns = request.path("columns");
        if (columns.isArray()) {
            builder.withProjection(projection(name, table, columns));
        }
        try {
            return new TableReader(table, builder, new Path("file:" + outputFolder)).read();
        } catch (RuntimeException e) {
            throw Errors.readFailed(name, e);
        }
    }

    private Map<String, Object> read() {
        List<Split> splits = builder.newScan().plan().splits();
        List<List<Split>> groups = groups(splits);
        List<Long> rows = Parallel.map(numbered(groups.size()), number -> write(groups.get(number), file(number)));
        Map<String, Object> result = new LinkedHashMap<>();
        result.put(
                "files", numbered(groups.size()).stream().map(number -> file(number).toUri().getPath()).collect(Collectors.toList()));
        result.put("rows", rows.stream().mapToLong(Long::longValue).sum());
        result.put("fields", FieldsJson.of(builder.readType().getFields()));
        return result;
    }

    private long write(List<Split> splits, Path file) {
        FormatWriterFactory factory = FileFormat.fromIdentifier("parquet", new Options()).createWriterFactory(builder.readType());
        long rows = 0;
        try (PositionOutputStream out = LocalFileIO.create().newOutputStream(file, false);
                FormatWriter writer = factory.create(out, COMPRESSION)) {
            for (Split split : splits) {
                RecordReader<InternalRow> reader = builder.newRead().createReader(split);
                try (CloseableIterator<InternalRow> iterator = reader.toCloseableIterator()) {
                    while (iterator.hasNext()) {
                        writer.addElement(iterator.next());
                        rows++;
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("reading " + table.name() + " failed", e);
        }
        return rows;
    }

    private static FileStoreTable travelled(String name, FileStoreTable table, JsonNode snapshot) {
        if (snapshot.isMissingNode() || snapshot.isNull()) {
            return table;
        }
        if (!table.snapshotManager().snapshotExists(snapshot.asLong())) {
            throw Errors.snapshotNotFound(name, snapshot.asLong(), null);
        }
        return table.copy(Collections.singletonMap("scan.snapshot-id", String.valueOf(snapshot.asLong())));
    }

    private static int[] projection(String name, FileStoreTable table, JsonNode columns) {
        int[] projection = new int[columns.size()];
        for (int i = 0; i < projection.length; i++) {
            projection[i] = table.rowType().getFieldIndex(columns.get(i).asText());
            if (projection[i] < 0) {
                throw Errors.columnNotFound(name, columns.get(i).asText());
            }
        }
        return projection;
    }

    /** Neighbouring splits together, in their order; one empty group for an empty table, so that its columns are in a file too. */
    private static List<List<Split>> groups(List<Split> splits) {
        int count = Math.max(1, Math.min(MAX_FILES, splits.size()));
        List<List<Split>> groups = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            groups.add(splits.subList(splits.size() * i / count, splits.size() * (i + 1) / count));
        }
        return groups;
    }

    private static List<Integer> numbered(int count) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add(i);
        }
        return numbers;
    }

    private Path file(int number) {
        return new Path(folder, String.format("part-%05d.parquet", number));
    }
}
