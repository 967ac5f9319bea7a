package io.outboxed.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Where one server keeps what is its own: {@code data/} and {@code server.log}. Locked while open. */
record ServerDirectory(Path root, boolean temporary, DirectoryLock lock) {

    static ServerDirectory open(Path chosen, String name) {
        try {
            boolean temporary = chosen == null;
            Path root = temporary
                    ? Files.createTempDirectory(Cache.directory("running"), name + "-")
                    : Files.createDirectories(chosen);
            return new ServerDirectory(root, temporary, DirectoryLock.take(root));
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
        lock.close();
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
