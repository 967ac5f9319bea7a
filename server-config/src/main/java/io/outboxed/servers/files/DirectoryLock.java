package io.outboxed.servers.files;

import io.outboxed.servers.process.ServerFailedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Lets one JVM at a time work in a directory. A server that still runs there when the lock is free has outlived its
 * JVM.
 */
final class DirectoryLock implements AutoCloseable {
    /** Between the creation of the file and its locking, it looks as if it had been left behind. */
    private static final Duration LOCKED_WITHIN = Duration.ofMinutes(1);

    /** By this JVM. The system forgets a lock when its process closes any channel of the file. */
    private static final Set<Path> HELD = new HashSet<>();

    private final Path file;
    private final FileChannel channel;

    private DirectoryLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    static DirectoryLock take(Path directory) throws IOException {
        return tryTake(file(directory), StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                .orElseThrow(() -> new ServerFailedException(
                        directory + " is in use: another demo or test still runs there. End it first."));
    }

    /** Empty unless the JVM that has worked in the directory has ended without deleting it. */
    static Optional<DirectoryLock> takeAbandoned(Path directory) throws IOException {
        Path file = file(directory);
        boolean created = Files.exists(file)
                && Files.getLastModifiedTime(file)
                        .toInstant()
                        .isBefore(Instant.now().minus(LOCKED_WITHIN));
        return created ? tryTake(file, StandardOpenOption.WRITE) : Optional.empty();
    }

    private static Path file(Path directory) throws IOException {
        return directory.toRealPath().resolve("lock");
    }

    private static Optional<DirectoryLock> tryTake(Path file, OpenOption... how) throws IOException {
        synchronized (HELD) {
            if (HELD.contains(file)) {
                return Optional.empty();
            }
            FileChannel channel = FileChannel.open(file, how);
            if (isTaken(channel)) {
                channel.close();
                return Optional.empty();
            }
            HELD.add(file);
            return Optional.of(new DirectoryLock(file, channel));
        }
    }

    private static boolean isTaken(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock == null;
        } catch (OverlappingFileLockException e) {
            return true;
        }
    }

    @Override
    public void close() {
        synchronized (HELD) {
            if (channel.isOpen()) {
                HELD.remove(file);
            }
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
