package org.paimonbridge.check;

import java.util.Optional;

import org.apache.paimon.fs.Path;
import org.paimonbridge.verify.IndexFileView;

/** A new index file of a message. As with data files, it has a path only once its name is known to stay inside the table. */
public final class CheckedIndexFile {

    private final CheckedMessage message;
    private final IndexFileView view;
    private Path path;

    CheckedIndexFile(CheckedMessage message, IndexFileView view) {
        this.message = message;
        this.view = view;
    }

    public CheckedMessage message() {
        return message;
    }

    public IndexFileView view() {
        return view;
    }

    /** The name is safe: this is the file it means. */
    public void located(Path indexPath) {
        path = indexPath;
    }

    public Optional<Path> path() {
        return Optional.ofNullable(path);
    }

    public String where() {
        return message.where() + ", index file " + CheckedFile.printable(view.name());
    }
}
