package io.outboxed.servers.files;

import io.outboxed.servers.process.ServerFailedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Lets one JVM at a time work in a directory. A server that still runs there when the lock is free has outlived its
 * JVM.
 */
final class DirectoryLock implements AutoCloseable {
    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    static DirectoryLock take(Path directory) throws IOException {
        FileChannel channel =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!isTaken(channel)) {
            return new DirectoryLock(channel);
        }
        channel.close();
        throw new ServerFailedException(directory + " is in use: another demo or test still runs there. End it first.");
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
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
