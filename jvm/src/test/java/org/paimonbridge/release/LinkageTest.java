package org.paimonbridge.release;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.Test;
import org.paimonbridge.BridgeEntryPoint;

/**
 * Everything the shim's class files refer to in Paimon exists in the attached release, with the same signature and in an owner of the
 * same kind. So no path through the shim, tested or not, ends in a linkage error on a release that this test has passed on.
 */
public class LinkageTest {

    @Test
    public void everyReferenceIntoPaimonLinks() throws Exception {
        Set<Reference> references = new TreeSet<>();
        File classes = new File(BridgeEntryPoint.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (Stream<Path> files = Files.walk(classes.toPath())) {
            for (Path file : files.filter(path -> path.toString().endsWith(".class")).collect(Collectors.toList())) {
                references.addAll(references(file));
            }
        }
        List<String> broken = new ArrayList<>();
        for (Reference reference : references) {
            reference.problem().ifPresent(problem -> broken.add(reference + ": " + problem));
        }
        assertEquals(Collections.emptyList(), broken);
        assertTrue("only " + references.size() + " references", references.size() > 100);
    }

    /** Reads the constant pool: the part of a class file where all its references are. */
    private static List<Reference> references(Path file) throws IOException {
        List<Reference> references = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
            in.readLong();
            int size = in.readUnsignedShort();
            String[] texts = new String[size];
            int[][] entries = new int[size][];
            for (int i = 1; i < size; i++) {
                int tag = in.readUnsignedByte();
                switch (tag) {
                    case 1:
                        texts[i] = in.readUTF();
                        break;
                    case 5:
                    case 6:
                        in.readLong();
                        i++;
                        break;
                    case 7:
                    case 8:
                    case 16:
                        entries[i] = new int[] {tag, in.readUnsignedShort()};
                        break;
                    case 15:
                        in.readUnsignedByte();
                        in.readUnsignedShort();
                        break;
                    case 3:
                    case 4:
                        in.readInt();
                        break;
                    default:
                        entries[i] = new int[] {tag, in.readUnsignedShort(), in.readUnsignedShort()};
                }
            }
            for (int[] entry : entries) {
                if (entry != null && entry[0] >= 9 && entry[0] <= 11) {
                    String owner = texts[entries[entry[1]][1]];
                    int[] nameAndType = entries[entry[2]];
                    if (owner.startsWith("org/apache/paimon/")) {
                        references.add(new Reference(entry[0], owner, texts[nameAndType[1]], texts[nameAndType[2]]));
                    }
                }
            }
        }
        return references;
    }

    /** A field (tag 9), a method of a class (10) or of an interface (11). */
    private static final class Reference implements Comparable<Reference> {
        private final int tag;
        private final String owner;
        private final String name;
        private final String descriptor;

        Reference(int tag, String owner, String name, String descriptor) {
            this.tag = tag;
            this.owner = owner.replace('/', '.');
            this.name = name;
            this.descriptor = descriptor;
        }

        Optional<String> problem() {
            Class<?> type;
            try {
                type = Class.forName(owner, false, LinkageTest.class.getClassLoader());
            } catch (ClassNotFoundException | LinkageError e) {
                return Optional.of(e.toString());
            }
            if (tag != 9 && type.isInterface() != (tag == 11)) {
                return Optional.of(type.isInterface() ? "is an interface here" : "is a class here");
            }
            return exists(type) ? Optional.empty() : Optional.of("is absent");
        }

        private boolean exists(Class<?> type) {
            if (type == null) {
                return false;
            }
            for (Field field : type.getDeclaredFields()) {
                String getter = descriptor(field.getType(), new Class<?>[0]);
                if (tag == 9 && field.getName().equals(name) && getter.equals("()" + descriptor)) {
                    return true;
                }
            }
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                if (name.equals("<init>") && descriptor(void.class, constructor.getParameterTypes()).equals(descriptor)) {
                    return true;
                }
            }
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(name) && descriptor(method.getReturnType(), method.getParameterTypes()).equals(descriptor)) {
                    return true;
                }
            }
            for (Class<?> parent : type.getInterfaces()) {
                if (exists(parent)) {
                    return true;
                }
            }
            return exists(type.isInterface() ? Object.class : type.getSuperclass());
        }

        private static String descriptor(Class<?> result, Class<?>[] parameters) {
            return MethodType.methodType(result, parameters).toMethodDescriptorString();
        }

        @Override
        public int compareTo(Reference other) {
            return toString().compareTo(other.toString());
        }

        @Override
        public String toString() {
            return owner + "." + name + descriptor + (tag == 11 ? " (interface)" : "");
        }
    }
}
