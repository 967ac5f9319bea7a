package io.outboxed.servers.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.stream.Stream;

/** The directory of one server: {@code data/} and {@code server.log}. Locked while open. */
public record ServerDirectory(Path root, boolean temporary, DirectoryLock lock) {

    public static ServerDirectory open(Path chosen, String name) {
        try {
            boolean temporary = chosen == null;
            Path root = temporary ? newTemporary(name) : ownersOnly(Files.createDirectories(chosen));
            return new ServerDirectory(root, temporary, DirectoryLock.take(root));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path newTemporary(String name) throws IOException {
        Path running = Cache.directory("running");
        AbandonedDirectories.endBelow(running);
        return Files.createTempDirectory(running, name + "-");
    }

    /** As a temporary one is created: the logs in it contain the passwords of a demo. */
    private static Path ownersOnly(Path directory) throws IOException {
        PosixFileAttributeView posix = Files.getFileAttributeView(directory, PosixFileAttributeView.class);
        if (posix != null) {
            posix.setPermissions(PosixFilePermissions.fromString("rwx------"));
        }
        return directory;
    }

    public Path data() {
        return root.resolve("data");
    }

    public Path log() {
        return root.resolve("server.log");
    }

    public void close() {
        lock.close();
        if (temporary) {
            delete(root);
        }
    }

    /** What can't be deleted is left behind: it is a temporary directory, and must not affect the result of a test. */
    public static void delete(Path directory) {
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
