package org.paimonbridge;

import java.io.IOException;

import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.FileIOLoader;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.local.LocalFileIO;

/** The local disk under the scheme {@code faulty:}, with a switch that breaks the publishing of snapshots. */
public final class FaultyFileIO extends LocalFileIO {

    private static final long serialVersionUID = 1L;

    /** What happens when a snapshot file is moved into place. */
    public enum Publishing {
        WORKS,
        FAILS,
        /** The snapshot is there, but the caller hears of a failure. */
        WORKS_AND_THROWS,
        /** The file is found in place just before, each time. */
        COMES_SECOND,
    }

    public static volatile Publishing publishing = Publishing.WORKS;

    @Override
    public boolean exists(Path path) throws IOException {
        return publishing == Publishing.COMES_SECOND && path.getName().startsWith("snapshot-") || super.exists(path);
    }

    @Override
    public boolean rename(Path source, Path target) throws IOException {
        boolean unharmed = publishing == Publishing.WORKS || publishing == Publishing.COMES_SECOND;
        if (unharmed || !target.getName().startsWith("snapshot-")) {
            return super.rename(source, target);
        }
        if (publishing == Publishing.WORKS_AND_THROWS) {
            super.rename(source, target);
        }
        throw new IOException("the store does not answer");
    }

    /** Makes the scheme known to Paimon. */
    public static final class Loader implements FileIOLoader {

        private static final long serialVersionUID = 1L;

        @Override
        public String getScheme() {
            return "faulty";
        }

        @Override
        public FileIO load(Path path) {
            return new FaultyFileIO();
        }
    }
}
