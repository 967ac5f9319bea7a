package io.outboxed.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A file of {@code server-config} that users run themselves, and that the launchers use too. */
record ShippedFile(String path) {

    byte[] bytes() {
        try (InputStream in = ShippedFile.class.getResourceAsStream(path)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }
}
