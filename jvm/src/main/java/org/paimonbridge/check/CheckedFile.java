package org.paimonbridge.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.apache.paimon.fs.Path;
import org.paimonbridge.verify.FileView;

/** A new data or changelog file of a message. Only once its names are known to stay inside the table does it have paths to look at. */
public final class CheckedFile {

    private final CheckedMessage message;
    private final boolean changelog;
    private final int index;
    private final FileView view;
    private Path folder;
    private Path path;
    private boolean sound = true;

    CheckedFile(CheckedMessage message, boolean changelog, int index, FileView view) {
        this.message = message;
        this.changelog = changelog;
        this.index = index;
        this.view = view;
    }

    public CheckedMessage message() {
        return message;
    }

    /** Whether the file is read by those who follow changes, and by nobody else. */
    public boolean isChangelog() {
        return changelog;
    }

    /** Position among the new data files, or the new changelog files, of its message. */
    public int index() {
        return index;
    }

    public FileView view() {
        return view;
    }

    public String name() {
        return view.name();
    }

    /** The names are safe: they mean files in this folder. */
    public void located(Path ownFolder) {
        folder = ownFolder;
    }

    /** Whether the names are safe. */
    public boolean isLocated() {
        return folder != null;
    }

    public Path folder() {
        return folder;
    }

    /** A rule found the file, or what its message says of it, not fit to be looked into. */
    public void distrust() {
        sound = false;
    }

    /** Whether its rows, and the rows in its message, may be decoded. */
    public boolean sound() {
        return sound && message.decoded().isPresent() && message.partition().isPresent();
    }

    /** Made when first asked for: paths are dear, and are best made where files are looked at in parallel. */
    public Optional<Path> path() {
        if (path == null && folder != null) {
            path = new Path(folder, name());
        }
        return Optional.ofNullable(path);
    }

    /** Files beside the data file that live and die with it, such as a file index. */
    public List<Path> extraPaths() {
        List<Path> extras = new ArrayList<>();
        if (folder != null) {
            view.extraFiles().forEach(extra -> extras.add(new Path(folder, extra)));
        }
        return extras;
    }

    public String where() {
        return message.where() + ", file " + printable(name());
    }

    /** A name from a stranger may hold anything; the report shows it on one line. */
    static String printable(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < Math.min(text.length(), 120); i++) {
            char c = text.charAt(i);
            out.append(Character.isISOControl(c) ? '\uFFFD' : c);
        }
        return out.append(text.length() > 120 ? "…" : "").toString();
    }
}
