package org.paimonbridge.check;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;

/** What the file system says about one new file: looked at once, judged by several rules. */
public final class FileProbe {

    private final OptionalLong length;
    private final OptionalLong footerRows;
    private final String problem;
    private final String footerProblem;
    private final List<Path> missingExtras;

    private FileProbe(
            OptionalLong length, OptionalLong footerRows, String problem, String footerProblem, List<Path> missingExtras) {
        this.length = length;
        this.footerRows = footerRows;
        this.problem = problem;
        this.footerProblem = footerProblem;
        this.missingExtras = missingExtras;
    }

    static FileProbe of(FileIO fileIO, CheckedFile file, Path path) {
        List<Path> missing = new ArrayList<>();
        try {
            for (Path extra : file.extraPaths()) {
                if (!fileIO.exists(extra)) {
                    missing.add(extra);
                }
            }
            long length = fileIO.getFileStatus(path).getLen();
            if (!path.getName().endsWith(".parquet")) {
                return new FileProbe(OptionalLong.of(length), OptionalLong.empty(), null, null, missing);
            }
            return withFooter(fileIO, path, length, missing);
        } catch (FileNotFoundException e) {
            return new FileProbe(OptionalLong.empty(), OptionalLong.empty(), "does not exist", null, missing);
        } catch (IOException e) {
            return new FileProbe(OptionalLong.empty(), OptionalLong.empty(), "cannot be looked at: " + e, null, missing);
        }
    }

    private static FileProbe withFooter(FileIO fileIO, Path path, long length, List<Path> missing) {
        try {
            long rows = ParquetFooter.rowCount(fileIO, path, length);
            return new FileProbe(OptionalLong.of(length), OptionalLong.of(rows), null, null, missing);
        } catch (IOException | RuntimeException e) {
            // Thrift throws unchecked exceptions at bytes it does not understand.
            return new FileProbe(OptionalLong.of(length), OptionalLong.empty(), null, String.valueOf(e.getMessage()), missing);
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
