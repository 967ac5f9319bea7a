package io.outboxed.servers.files;

import io.outboxed.servers.process.Orphan;
import io.outboxed.servers.process.ServerFailedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Temporary directories of JVMs that were killed. They are not used again, and their servers would run for ever. */
final class AbandonedDirectories {
    private AbandonedDirectories() {}

    /** Ends the servers of all below this one, and deletes them. Whatever fails is left behind. */
    static void endBelow(Path parent) {
        for (Path directory : directories(parent)) {
            try {
                endIfAbandoned(directory);
            } catch (NoSuchFileException e) {
                // another JVM has just deleted it
            } catch (IOException | UncheckedIOException | ServerFailedException e) {
                System.err.println("Left behind: " + directory + " (" + e + ")");
            }
        }
    }

    private static List<Path> directories(Path parent) {
        try (Stream<Path> all = Files.list(parent)) {
            return all.filter(Files::isDirectory).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void endIfAbandoned(Path directory) throws IOException {
        Optional<DirectoryLock> abandoned = DirectoryLock.takeAbandoned(directory);
        if (abandoned.isPresent()) {
            // deleted before it is unlocked: another JVM must not find it meanwhile
            try (DirectoryLock lock = abandoned.get()) {
                Orphan.endAllIn(directory);
                ServerDirectory.delete(directory);
            }
        }
    }
}
