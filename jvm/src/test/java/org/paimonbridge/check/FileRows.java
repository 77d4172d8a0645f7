package org.paimonbridge.check;

import java.io.File;
import java.io.IOException;

import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.local.LocalFileIO;

/** Opens the footer reader to tests of other packages. */
public final class FileRows {

    private FileRows() {}

    public static long of(File file) throws IOException {
        return ParquetFooter.read(LocalFileIO.create(), new Path(file.toURI()), file.length()).rowCount();
    }
}
