package io.outboxed.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Where one server keeps what is its own: {@code data/} and {@code server.log}. */
record ServerDirectory(Path root, boolean temporary) {

    static ServerDirectory open(Path chosen, String name) {
        try {
            return chosen == null
                    ? new ServerDirectory(Files.createTempDirectory(Cache.directory("running"), name + "-"), true)
                    : new ServerDirectory(Files.createDirectories(chosen), false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path data() {
        return root.resolve("data");
    }

    Path log() {
        return root.resolve("server.log");
    }

    void close() {
        if (temporary) {
            delete(root);
        }
    }

    /** What cannot be deleted is left: it is a temporary directory, and a test's outcome does not hang on it. */
    static void delete(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> all = Files.walk(directory)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        } catch (IOException | UncheckedIOException e) {
            System.err.println("Left behind: " + directory + " (" + e + ")");
        }
    }
}
