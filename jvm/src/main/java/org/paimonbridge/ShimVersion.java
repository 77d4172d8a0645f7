package org.paimonbridge;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this jar, from the resource that the build fills in. */
final class ShimVersion {

    private ShimVersion() {}

    static String get() {
        Properties properties = new Properties();
        try (InputStream in = ShimVersion.class.getResourceAsStream("shim.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }
}
