package org.paimonbridge.check;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

import org.apache.paimon.fs.Path;
import org.apache.paimon.table.FileStoreTable;

/** Which names and paths in a message may be turned into files. */
public final class TablePaths {

    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9._=-]{1,255}");
    // Paimon takes the format of a file from its last extension; other endings belong to files of another kind.
    private static final List<String> DATA_SUFFIXES = Arrays.asList(".parquet", ".orc", ".avro");
    private static final String EXTRA_SUFFIX = ".index";
    private static final String EXTERNAL_PATHS_OPTION = "data-file.external-paths";

    private static final String INDEX_BESIDE_DATA_OPTION = "index-file-in-data-file-dir";

    private final FileStoreTable table;
    private final List<String> externalRoots = new ArrayList<>();

    public TablePaths(FileStoreTable table) {
        this.table = table;
        for (String root : table.options().getOrDefault(EXTERNAL_PATHS_OPTION, "").split(",")) {
            if (!root.trim().isEmpty()) {
                externalRoots.add(root.trim());
            }
        }
    }

    public static boolean isDataFileName(String name) {
        return isPlainName(name) && DATA_SUFFIXES.stream().anyMatch(suffix -> hasSuffix(name, suffix));
    }

    public static boolean isExtraFileName(String name) {
        return isPlainName(name) && hasSuffix(name, EXTRA_SUFFIX);
    }

    public static boolean isPlainName(String name) {
        return PLAIN_NAME.matcher(name).matches() && !name.equals(".") && !name.equals("..");
    }

    /** Where the index files of a bucket lie. */
    public Path indexFolder(Path bucketPath) {
        boolean besideData = Boolean.parseBoolean(table.options().getOrDefault(INDEX_BESIDE_DATA_OPTION, "false"));
        return besideData ? bucketPath : table.store().pathFactory().indexPath();
    }

    /** Whether a full path lies below a configured root, ends in the file's own name, and takes no detour on the way. */
    public boolean isAllowedExternalPath(String external, String name) {
        return externalRoots.stream().anyMatch(root -> isBelow(external, root)) && external.endsWith("/" + name);
    }

    private static boolean isBelow(String path, String root) {
        URI inner = parse(path);
        URI outer = parse(root);
        if (inner == null || outer == null || inner.getPath() == null || outer.getPath() == null) {
            return false;
        }
        String base = outer.getPath().endsWith("/") ? outer.getPath() : outer.getPath() + "/";
        return Objects.equals(inner.getScheme(), outer.getScheme())
                && Objects.equals(inner.getRawAuthority(), outer.getRawAuthority())
                && inner.getRawQuery() == null
                && inner.getRawFragment() == null
                && inner.getPath().startsWith(base)
                && Arrays.stream(inner.getPath().substring(base.length()).split("/", -1)).allMatch(TablePaths::isSegment);
    }

    /** Partition folders may hold nearly any character, escaped by Paimon; only what changes the direction is refused. */
    private static boolean isSegment(String segment) {
        return !segment.isEmpty() && !segment.equals(".") && !segment.equals("..");
    }

    private static URI parse(String path) {
        try {
            // As Paimon's Path does: the text after scheme and authority is taken as it is, '%' included.
            int colon = path.indexOf(":/");
            String scheme = colon < 0 ? null : path.substring(0, colon);
            String rest = colon < 0 ? path : path.substring(colon + 1);
            String authority = null;
            if (rest.startsWith("//")) {
                int slash = rest.indexOf('/', 2);
                authority = rest.substring(2, slash < 0 ? rest.length() : slash);
                rest = slash < 0 ? "/" : rest.substring(slash);
            }
            return new URI(scheme, authority == null || authority.isEmpty() ? null : authority, rest, null, null);
        } catch (URISyntaxException e) {
            return null;
        }
    }

    private static boolean hasSuffix(String name, String suffix) {
        return name.endsWith(suffix) && name.length() > suffix.length();
    }
}
