package org.paimonbridge.check;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;

/** What the file system says about one new file: looked at once, judged by several rules. */
public final class FileProbe {

    private final List<Path> missingExtras = new ArrayList<>();
    private OptionalLong length = OptionalLong.empty();
    private String problem;
    private OptionalLong footerRows = OptionalLong.empty();
    private ParquetColumns columns;
    private String footerProblem;

    private FileProbe() {}

    static FileProbe of(FileIO fileIO, CheckedFile file, Path path) {
        FileProbe probe = new FileProbe();
        try {
            for (Path extra : file.extraPaths()) {
                if (!fileIO.exists(extra)) {
                    probe.missingExtras.add(extra);
                }
            }
            if (path.getName().endsWith(".parquet") && probe.readsAsStated(fileIO, file, path)) {
                return probe;
            }
            probe.length = OptionalLong.of(fileIO.getFileStatus(path).getLen());
        } catch (FileNotFoundException e) {
            probe.problem = "does not exist";
        } catch (IOException e) {
            probe.problem = "cannot be looked at: " + e;
        }
        if (probe.present() && path.getName().endsWith(".parquet")) {
            probe.readFooter(fileIO, path);
        }
        return probe;
    }

    /** The usual case, in one opening: the file ends where the message says, and there is a footer. */
    private boolean readsAsStated(FileIO fileIO, CheckedFile file, Path path) throws IOException {
        Optional<ParquetFooter> footer = ParquetFooter.readAtEnd(fileIO, path, file.view().size());
        footer.ifPresent(
                found -> {
                    length = OptionalLong.of(file.view().size());
                    columns = new ParquetColumns(found.schema());
                    footerRows = OptionalLong.of(found.rowCount());
                });
        return footer.isPresent();
    }

    private void readFooter(FileIO fileIO, Path path) {
        try {
            ParquetFooter footer = ParquetFooter.read(fileIO, path, length.getAsLong());
            columns = new ParquetColumns(footer.schema());
            footerRows = OptionalLong.of(footer.rowCount());
        } catch (IOException | RuntimeException e) {
            // Thrift throws unchecked exceptions at bytes it does not understand.
            footerProblem = String.valueOf(e.getMessage());
        }
    }

    /** The length, or empty where there is no file to measure. */
    public OptionalLong length() {
        return length;
    }

    /** Rows according to the Parquet footer; empty for other formats, and where the footer is unreadable. */
    public OptionalLong footerRows() {
        return footerRows;
    }

    /** Columns according to the Parquet footer; empty likewise. */
    public Optional<ParquetColumns> columns() {
        return Optional.ofNullable(columns);
    }

    public boolean present() {
        return length.isPresent();
    }

    public String problem() {
        return problem;
    }

    /** Why the footer could not be read, or null. */
    public String footerProblem() {
        return footerProblem;
    }

    public List<Path> missingExtras() {
        return missingExtras;
    }
}
