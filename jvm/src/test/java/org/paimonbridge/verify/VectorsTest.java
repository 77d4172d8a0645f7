package org.paimonbridge.verify;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;
import static org.junit.Assume.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.Test;

/** The verifier on bytes that released versions of Paimon wrote: all pass, and no truncation of one does. */
public class VectorsTest {

    private static final Pattern NAME = Pattern.compile(".*\\.v(\\d+)\\.(single|list)\\.bin");

    @Test
    public void messagesOfEveryReleasePass() throws Exception {
        int messages = 0;
        for (File file : vectors()) {
            Matcher name = NAME.matcher(file.getName());
            assertTrue(name.matches());
            byte[] bytes = Files.readAllBytes(file.toPath());
            ByteCursor in = new ByteCursor(bytes, 0, bytes.length);
            int count = name.group(2).equals("list") ? in.i32() : 1;
            try {
                for (int i = 0; i < count; i++) {
                    MessageVerifier.read(Integer.parseInt(name.group(1)), bytes, in);
                    messages++;
                }
            } catch (MalformedBytesException e) {
                throw new AssertionError(file.getName() + ": " + e.getMessage(), e);
            }
            assertEquals(file.getName(), 0, in.remaining());
        }
        assertTrue("only " + messages + " messages", messages > 20);
    }

    @Test
    public void everyTruncationIsRefused() throws Exception {
        int cut = 0;
        for (File file : vectors()) {
            Matcher name = NAME.matcher(file.getName());
            if (name.matches() && name.group(2).equals("single")) {
                byte[] bytes = Files.readAllBytes(file.toPath());
                for (int length = 0; length < bytes.length; length += 1 + bytes.length / 500) {
                    try {
                        MessageVerifier.verify(Integer.parseInt(name.group(1)), Arrays.copyOf(bytes, length));
                        fail(file.getName() + " cut to " + length + " bytes passes");
                    } catch (MalformedBytesException e) {
                        cut++;
                    }
                }
            }
        }
        assertTrue("only " + cut + " truncations", cut > 500);
    }

    private static List<File> vectors() throws IOException {
        File folder = new File(System.getProperty("paimonbridge.vectors", "none"));
        assumeTrue("there are no vectors in " + folder, folder.isDirectory());
        List<File> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(folder.toPath())) {
            all.map(Path::toFile).filter(file -> NAME.matcher(file.getName()).matches()).sorted().forEach(files::add);
        }
        assumeTrue("there are no vectors in " + folder, !files.isEmpty());
        return files;
    }
}
