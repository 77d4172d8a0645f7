package org.paimonbridge.verify;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;
import static org.paimonbridge.Warehouse.row;

import java.io.File;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.paimon.table.FileStoreTable;
import org.junit.Rule;
import org.junit.Test;
import org.paimonbridge.Warehouse;
import org.paimonbridge.release.PaimonRelease;

/** A short run of the fuzzer in a JVM of its own; {@code -Dpaimonbridge.mutants=1000000} makes it a long one. */
public class VerifierFuzzTest {

    @Rule public final Warehouse warehouse = new Warehouse();

    @Test
    public void noMutantGetsThroughToPaimonThatPaimonCannotTake() throws Exception {
        long mutants = Long.getLong("paimonbridge.mutants", 50_000);
        String output = run(0, mutants);
        assertEquals(output, mutants, figure(output, "mutants"));
        assertEquals(output, mutants, figure(output, "refused") + figure(output, "passed"));
        assertTrue(output, figure(output, "identical") > mutants / 100);
        assertEquals(output, 0, figure(output, "exceptions"));
        assertEquals(output, 0, figure(output, "different"));
    }

    /** The verifier is needed: without it the same mutants kill the JVM, or make it run out of memory. */
    @Test
    public void withoutTheVerifierTheJvmDies() throws Exception {
        run(1, 50_000, "--no-verifier");
    }

    private String run(int expected, long mutants, String... options) throws Exception {
        File seeds = seeds();
        List<String> command =
                new ArrayList<>(
                        Arrays.asList(
                                System.getProperty("java.home") + "/bin/java",
                                "-Xmx256m",
                                "-XX:-CreateCoredumpOnCrash",
                                "-XX:ErrorFile=" + new File(warehouse.getRoot(), "hs_err.log"),
                                "-cp",
                                System.getProperty("java.class.path"),
                                VerifierFuzz.class.getName(),
                                seeds.getPath(),
                                String.valueOf(mutants),
                                "7"));
        command.addAll(Arrays.asList(options));
        File output = new File(warehouse.getRoot(), "output.txt");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
        try {
            assertTrue("the fuzzer hangs", process.waitFor(300, TimeUnit.SECONDS));
        } finally {
            process.destroyForcibly();
        }
        String text = new String(Files.readAllBytes(output.toPath()), "UTF-8");
        if (expected == 0) {
            assertEquals(text, 0, process.exitValue());
        } else {
            assertNotEquals(text, 0, process.exitValue());
        }
        return text;
    }

    private File seeds() throws Exception {
        File folder = warehouse.newFolder("seeds");
        FileStoreTable append = warehouse.append("file-index.bloom-filter.columns", "name", "file-index.in-manifest-threshold", "1 b");
        FileStoreTable partitioned = warehouse.partitioned("metadata.stats-mode", "full");
        FileStoreTable keyed = warehouse.primaryKey();
        List<byte[]> messages = new ArrayList<>();
        messages.addAll(warehouse.write(append, row(1, "x")));
        messages.addAll(warehouse.write(partitioned, row(1, "a name", "2024-05-01"), row(2, "b", "p")));
        messages.addAll(warehouse.write(keyed, row(1, "x"), row(2, "y")));
        for (int i = 0; i < messages.size(); i++) {
            File file = new File(folder, "seed" + i + ".v" + PaimonRelease.messageVersion() + ".single.bin");
            Files.write(file.toPath(), messages.get(i));
        }
        return folder;
    }

    private static long figure(String output, String name) {
        Matcher matcher = Pattern.compile("\\b" + name + "=(\\d+)").matcher(output);
        assertTrue(output, matcher.find());
        return Long.parseLong(matcher.group(1));
    }
}
