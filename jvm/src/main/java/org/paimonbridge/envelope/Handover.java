package org.paimonbridge.envelope;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;

import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.paimonbridge.error.Errors;

/**
 * Bytes too large for one Py4J argument, left in a private file by the Python side of the same driver, which also removes it. The
 * file must have the announced length; what is in it is proved by the checksum that every envelope ends with.
 */
public final class Handover {

    private Handover() {}

    /** The envelopes of a call: the argument itself, or the file that the request names. */
    public static byte[] bytes(JsonNode request, byte[] argument) {
        JsonNode handover = request.get("handover");
        if (handover == null || handover.isNull()) {
            return argument == null ? new byte[0] : argument;
        }
        Path path = Paths.get(handover.path("path").asText());
        byte[] bytes;
        try {
            // Not through a link: the name was made by us, and whoever put a link there was not.
            if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                throw Errors.handover("is not there, or is no plain file", null);
            }
            long length = handover.path("length").asLong(-1);
            if (Files.size(path) != length) {
                throw Errors.handover("has " + Files.size(path) + " bytes, " + length + " were announced", null);
            }
            bytes = Files.readAllBytes(path);
        } catch (IOException e) {
            throw Errors.handover("cannot be read", e);
        }
        return bytes;
    }
}
