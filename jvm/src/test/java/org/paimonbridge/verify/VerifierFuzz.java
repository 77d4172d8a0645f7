package org.paimonbridge.verify;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageSerializer;

/**
 * Mutates messages and puts them through the verifier; what passes at the attached Paimon's own version goes to Paimon's decoder, is
 * touched everywhere, and written back.
 *
 * <p>Arguments: a folder with seeds named {@code *.v<version>.single.bin} or {@code *.list.bin}, the number of mutants, the random seed;
 * then {@code --no-verifier}, which shows what Paimon's decoder does alone, and {@code --culprit=<file>}, which holds the mutant at hand,
 * so that it is there after a crash. Run it in a JVM of its own with little memory: a wrong answer of the verifier kills the JVM.
 * Prints one line of figures; exit code 1 after a mutant that takes more than 100 ms, each time anew, or too much memory.
 */
public final class VerifierFuzz {

    private static final Pattern NAME = Pattern.compile(".*\\.v(\\d+)\\.(single|list)\\.bin");
    private static final String[] FIGURES = {
        "mutants", "refused", "passed", "decoded", "identical", "different", "exceptions", "pauses", "slow", "large"
    };
    private static final long SLOW_NANOS = 100_000_000;
    private static final int CULPRIT_BYTES = 1 << 20;

    private final CommitMessageSerializer serializer = new CommitMessageSerializer();
    private final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Map<String, Long> figures = new LinkedHashMap<>();
    private final boolean verifier;

    private VerifierFuzz(boolean verifier) {
        this.verifier = verifier;
        for (String name : FIGURES) {
            figures.put(name, 0L);
        }
    }

    public static void main(String[] arguments) throws Exception {
        List<String> options = Arrays.asList(arguments).subList(3, arguments.length);
        VerifierFuzz fuzz = new VerifierFuzz(!options.contains("--no-verifier"));
        MappedByteBuffer culprit = null;
        for (String option : options) {
            if (option.startsWith("--culprit=")) {
                culprit = map(new File(option.substring("--culprit=".length())));
            }
        }
        List<Seed> seeds = fuzz.seeds(new File(arguments[0]));
        long start = System.nanoTime();
        fuzz.run(seeds, Long.parseLong(arguments[1]), new Random(Long.parseLong(arguments[2])), culprit);
        fuzz.figures.put("seeds", (long) seeds.size());
        fuzz.figures.put("millis", (System.nanoTime() - start) / 1_000_000);
        System.out.println(fuzz.figures);
        System.exit(fuzz.figures.get("slow") + fuzz.figures.get("large") == 0 ? 0 : 1);
    }

    private void run(List<Seed> seeds, long count, Random random, MappedByteBuffer culprit) {
        long slowest = 0;
        long largest = 0;
        long thread = Thread.currentThread().getId();
        for (long i = 0; i < count; i++) {
            Seed seed = seeds.get(random.nextInt(seeds.size()));
            byte[] mutant = mutate(seed.bytes.clone(), random);
            if (culprit != null) {
                culprit.putInt(0, seed.version);
                culprit.putInt(4, mutant.length);
                culprit.position(8);
                culprit.put(mutant, 0, Math.min(mutant.length, CULPRIT_BYTES - 8));
            }
            long allocated = threads.getThreadAllocatedBytes(thread);
            long start = System.nanoTime();
            List<String> steps = tryOut(seed.version, mutant);
            long nanos = System.nanoTime() - start;
            allocated = threads.getThreadAllocatedBytes(thread) - allocated;
            steps.forEach(this::count);
            slowest = Math.max(slowest, nanos);
            largest = Math.max(largest, allocated);
            // A pause of the JVM or of a busy machine does not come back with the same input; a slow input does.
            if (nanos > SLOW_NANOS) {
                count("pauses");
                if (isSlow(seed.version, mutant) && isSlow(seed.version, mutant)) {
                    count("slow");
                }
            }
            // The first ones pay for class loading.
            if (i > 1_000 && allocated > (1 << 20) + 16L * mutant.length) {
                count("large");
            }
        }
        figures.put("slowestMicros", slowest / 1_000);
        figures.put("largestKilobytes", largest / 1_024);
    }

    private boolean isSlow(int version, byte[] mutant) {
        long start = System.nanoTime();
        tryOut(version, mutant);
        return System.nanoTime() - start > SLOW_NANOS;
    }

    /** How far the mutant came, as names of figures. */
    private List<String> tryOut(int version, byte[] mutant) {
        List<String> steps = new ArrayList<>();
        steps.add("mutants");
        if (verifier) {
            try {
                MessageVerifier.verify(version, mutant);
            } catch (MalformedBytesException e) {
                steps.add("refused");
                return steps;
            }
            steps.add("passed");
        }
        if (version != serializer.getVersion()) {
            return steps;
        }
        steps.add("decoded");
        try {
            CommitMessage message = serializer.deserialize(version, mutant);
            // Reads every field of every file, as a commit and its log lines do.
            if (message.toString().length() + message.hashCode() == 0 || !message.equals(message)) {
                throw new IllegalStateException("not equal to itself");
            }
            steps.add(Arrays.equals(serializer.serialize(message), mutant) ? "identical" : "different");
        } catch (IOException | RuntimeException e) {
            steps.add("exceptions");
        }
        return steps;
    }

    /** One to three edits: a byte, a bit, 0xff, or a four-byte word that looks like a length. */
    static byte[] mutate(byte[] bytes, Random random) {
        for (int edits = 1 + random.nextInt(3); edits > 0 && bytes.length > 0; edits--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0:
                    bytes[at] = (byte) random.nextInt();
                    break;
                case 1:
                    bytes[at] ^= (byte) (1 << random.nextInt(8));
                    break;
                case 2:
                    bytes[at] = (byte) 0xff;
                    break;
                default:
                    int[] words = {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, 0x70000000, 8, random.nextInt()};
                    int word = words[random.nextInt(words.length)];
                    for (int i = 0; i < 4 && at + i < bytes.length; i++) {
                        bytes[at + i] = (byte) (word >> 8 * i);
                    }
            }
        }
        return bytes;
    }

    private List<Seed> seeds(File folder) throws Exception {
        List<Seed> seeds = new ArrayList<>();
        File[] files = folder.listFiles();
        Arrays.sort(files);
        for (File file : files) {
            Matcher name = NAME.matcher(file.getName());
            if (name.matches()) {
                int version = Integer.parseInt(name.group(1));
                byte[] bytes = Files.readAllBytes(file.toPath());
                ByteCursor in = new ByteCursor(bytes, 0, bytes.length);
                for (int left = name.group(2).equals("list") ? in.i32() : 1; left > 0; left--) {
                    int from = in.position();
                    MessageVerifier.read(version, bytes, in);
                    seeds.add(new Seed(version, Arrays.copyOfRange(bytes, from, in.position())));
                }
            }
        }
        if (seeds.isEmpty()) {
            throw new IllegalArgumentException("there are no seeds in " + folder);
        }
        return seeds;
    }

    private static MappedByteBuffer map(File file) throws IOException {
        try (RandomAccessFile access = new RandomAccessFile(file, "rw")) {
            return access.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, CULPRIT_BYTES);
        }
    }

    private void count(String name) {
        figures.merge(name, 1L, Long::sum);
    }

    private static final class Seed {
        private final int version;
        private final byte[] bytes;

        Seed(int version, byte[] bytes) {
            this.version = version;
            this.bytes = bytes;
        }
    }
}
