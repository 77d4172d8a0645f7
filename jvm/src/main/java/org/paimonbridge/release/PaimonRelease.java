package org.paimonbridge.release;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;

import org.apache.paimon.Snapshot;
import org.apache.paimon.format.FileFormat;
import org.apache.paimon.format.FormatReaderFactory;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.manifest.ManifestCommittableSerializer;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessageSerializer;
import org.apache.paimon.types.RowType;

/**
 * The attached Paimon, and every place where the releases 1.0.1, 1.1.1, 1.2.0, 1.3.1, 1.4.2 and 2.0.0 differ for the shim.
 *
 * <p>The shim is compiled against 1.0.1. What it calls directly has the same descriptor and the same kind of owner (class or
 * interface) in all of them; what does not is here:
 *
 * <ul>
 *   <li>{@code DataFileMeta} and {@code ManifestEntry} are classes up to 1.2 and interfaces since 1.3, so a compiled call on one of
 *       them fails on the other. Nothing else in the shim calls them: the verifier's view replaces the first, {@code FileEntry} (an
 *       interface everywhere) the second.
 *   <li>{@code BucketMode}: {@code CROSS_PARTITION} is called {@code KEY_DYNAMIC} since 1.3; {@code POSTPONE_MODE} exists since 1.2,
 *       though 1.1 has such tables.
 *   <li>{@code ManifestCommittable.addProperty} and properties of snapshots exist since 1.2; {@code Snapshot.deltaRecordCount()}
 *       is a {@code Long} up to 1.3 and a {@code long} since.
 *   <li>{@code FileFormat.createReaderFactory} takes one row type up to 1.2 and two since 1.3.
 *   <li>{@code BranchManager} is a class in 1.0 and an interface since 1.1.
 *   <li>Changelogs that outlive their snapshot: {@code SnapshotManager.changelogs()} in 1.0, {@code ChangelogManager.changelogs()} since.
 *   <li>{@code ObjectTable} is a {@code FileStoreTable} up to 1.2 and a plain {@code Table} since 1.3.
 * </ul>
 */
public final class PaimonRelease {

    private static final String SERIALIZER_FILE = CommitMessageSerializer.class.getName().replace('.', '/') + ".class";
    private static final String CORE_POM = "META-INF/maven/org.apache.paimon/paimon-core/pom.properties";
    private static final int POSTPONE_BUCKETS = -2;
    private static final Method ADD_PROPERTY = methodOrNull(ManifestCommittable.class, "addProperty", String.class, String.class);
    private static final Method DELTA_RECORD_COUNT = method(Snapshot.class, "deltaRecordCount");
    private static final Method ENTRY_TOTAL_BUCKETS = method(ManifestEntry.class, "totalBuckets");
    private static final Method ENTRY_FILE = method(ManifestEntry.class, "file");
    private static final Method ROW_COUNT = method(DataFileMeta.class, "rowCount");
    private static final Method MAX_SEQUENCE_NUMBER = method(DataFileMeta.class, "maxSequenceNumber");

    private static final Method READER_FACTORY = methodOrNull(FileFormat.class, "createReaderFactory", RowType.class, List.class);
    private static final Method READER_FACTORY_SINCE_1_3 =
            methodOrNull(FileFormat.class, "createReaderFactory", RowType.class, RowType.class, List.class);

    private PaimonRelease() {}

    /** The release of the jar that serves this JVM, such as {@code 1.4.2}; {@code unknown} for a jar without Maven's mark. */
    public static String version() {
        String home = home(CommitMessageSerializer.class.getClassLoader().getResource(SERIALIZER_FILE));
        for (URL pom : resources(CommitMessageSerializer.class.getClassLoader(), CORE_POM)) {
            if (pom.toString().startsWith(home)) {
                Properties properties = new Properties();
                try (InputStream in = pom.openStream()) {
                    properties.load(in);
                } catch (IOException e) {
                    return "unknown";
                }
                return properties.getProperty("version", "unknown");
            }
        }
        return "unknown";
    }

    /** The jar or folder from which Paimon's message serializer was loaded. */
    public static String source() {
        return place(CommitMessageSerializer.class.getClassLoader().getResource(SERIALIZER_FILE));
    }

    /** Every jar or folder on the class path that has a copy of Paimon's message serializer; more than one is a trap. */
    public static List<String> copies() {
        Set<String> copies = new LinkedHashSet<>();
        copies.add(source());
        for (ClassLoader loader :
                new ClassLoader[] {
                    CommitMessageSerializer.class.getClassLoader(),
                    PaimonRelease.class.getClassLoader(),
                    Thread.currentThread().getContextClassLoader()
                }) {
            if (loader != null) {
                resources(loader, SERIALIZER_FILE).forEach(url -> copies.add(place(url)));
            }
        }
        return new ArrayList<>(copies);
    }

    /** The message version that the attached jar writes, and the only one the gate lets through. */
    public static int messageVersion() {
        return new CommitMessageSerializer().getVersion();
    }

    public static int committableVersion() {
        return new ManifestCommittableSerializer().getVersion();
    }

    /** Paimon's name of the bucket mode; the one that was renamed in 1.3 under its first name, the one that 1.1 lacks by its number. */
    public static String bucketMode(FileStoreTable table) {
        if (table.schema().numBuckets() == POSTPONE_BUCKETS) {
            return "POSTPONE_MODE";
        }
        String name = table.bucketMode().name();
        return name.equals("KEY_DYNAMIC") ? "CROSS_PARTITION" : name;
    }

    /** The bucket count a live file was written with; entries of a full plan show it on every release. */
    public static int totalBucketsOf(FileEntry manifestEntry) {
        return (Integer) invoke(ENTRY_TOTAL_BUCKETS, manifestEntry);
    }

    public static long rowCountOf(FileEntry manifestEntry) {
        return (Long) invoke(ROW_COUNT, invoke(ENTRY_FILE, manifestEntry));
    }

    public static long maxSequenceNumberOf(FileEntry manifestEntry) {
        return (Long) invoke(MAX_SEQUENCE_NUMBER, invoke(ENTRY_FILE, manifestEntry));
    }

    /** A commit that deletes files or brings deletion vectors is of the kind OVERWRITE since 1.3, whose messages have version 10. */
    public static boolean deletionsOverwrite() {
        return messageVersion() >= 10;
    }

    /** Snapshots have properties since 1.2. */
    public static boolean hasSnapshotProperties() {
        return ADD_PROPERTY != null;
    }

    public static void addProperty(ManifestCommittable committable, String key, String value) {
        invoke(ADD_PROPERTY, committable, key, value);
    }

    /** Rows that a snapshot added less those it removed. */
    public static long deltaRecordCount(Snapshot snapshot) {
        return (Long) invoke(DELTA_RECORD_COUNT, snapshot);
    }

    /** A reader of exactly these columns. Since 1.3 the columns in the file and the columns wanted are given apart. */
    public static FormatReaderFactory readerFactory(FileFormat format, RowType columns) {
        return (FormatReaderFactory)
                (READER_FACTORY_SINCE_1_3 == null
                        ? invoke(READER_FACTORY, format, columns, Collections.emptyList())
                        : invoke(READER_FACTORY_SINCE_1_3, format, columns, columns, Collections.emptyList()));
    }

    public static List<String> branches(FileStoreTable table) {
        List<String> names = new ArrayList<>();
        for (Object name : (List<?>) call(table, "branchManager", "branches")) {
            names.add((String) name);
        }
        return names;
    }

    /** Changelogs kept longer than their snapshots. They refer to data files as snapshots do. */
    public static List<Snapshot> changelogs(FileStoreTable table) {
        boolean ownManager = methodOrNull(table.getClass(), "changelogManager") != null;
        Iterator<?> changelogs = (Iterator<?>) call(table, ownManager ? "changelogManager" : "snapshotManager", "changelogs");
        List<Snapshot> result = new ArrayList<>();
        while (changelogs.hasNext()) {
            result.add((Snapshot) changelogs.next());
        }
        return result;
    }

    private static Object call(Object target, String first, String second) {
        Object middle = invoke(method(target.getClass(), first), target);
        return invoke(method(middle.getClass(), second), middle);
    }

    private static Method method(Class<?> owner, String name) {
        Method method = methodOrNull(owner, name);
        if (method == null) {
            throw new IllegalStateException("Paimon " + version() + " has no " + owner.getName() + "." + name + "()");
        }
        return method;
    }

    private static Method methodOrNull(Class<?> owner, String name, Class<?>... parameters) {
        try {
            Method method = owner.getMethod(name, parameters);
            // Table classes are package-private; their public methods are not callable by reflection without this.
            method.setAccessible(true);
            return method;
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static Object invoke(Method method, Object target, Object... arguments) {
        try {
            return method.invoke(target, arguments);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("cannot call " + method, e);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException) {
                throw (RuntimeException) e.getCause();
            }
            throw new IllegalStateException(method + " failed", e.getCause());
        }
    }

    private static List<URL> resources(ClassLoader loader, String name) {
        try {
            return Collections.list(loader.getResources(name));
        } catch (IOException e) {
            return new ArrayList<>();
        }
    }

    /** {@code jar:file:/x/paimon.jar!/org/…} to {@code jar:file:/x/paimon.jar!/}; a folder likewise. */
    private static String home(URL serializer) {
        String text = serializer.toString();
        return text.substring(0, text.length() - SERIALIZER_FILE.length());
    }

    /** The same for people: {@code file:/x/paimon.jar}. */
    private static String place(URL serializer) {
        String home = home(serializer);
        return home.startsWith("jar:") && home.endsWith("!/") ? home.substring(4, home.length() - 2) : home;
    }
}
