package io.outboxed.servers.files;

import io.outboxed.servers.process.ServerFailedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/**
 * What is created once per machine and user and then used by every build: unpacked binaries and initialised data. It is
 * in the temporary directory, or in the directory of the system property {@code outboxed.servers.cache}.
 */
public final class Cache {
    private Cache() {}

    public static Path directory(String name) {
        try {
            return Files.createDirectories(root().resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The directory of that name, created by {@code maker} if it is missing. Other JVMs wait, and never see an
     * incomplete one.
     */
    public static synchronized Path once(String name, Consumer<Path> maker) {
        Path made = root().resolve(name);
        if (Files.isDirectory(made)) {
            return made;
        }
        Path lockFile = directory("locks").resolve(name);
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            if (!Files.isDirectory(made)) {
                Path unfinished = root().resolve(name + ".unfinished");
                ServerDirectory.delete(unfinished);
                Files.createDirectories(unfinished);
                maker.accept(unfinished);
                Files.move(unfinished, made, StandardCopyOption.ATOMIC_MOVE);
            }
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException("The cache of unpacked servers cannot be written: " + made, e);
        }
    }

    private static Path root() {
        String byDefault =
                System.getProperty("java.io.tmpdir") + "/outboxed-servers-" + System.getProperty("user.name");
        Path root =
                Path.of(System.getProperty("outboxed.servers.cache", byDefault)).toAbsolutePath();
        try {
            if (!Files.isDirectory(root)) {
                Files.createDirectories(root);
            }
            refuseForeign(root);
            return root;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Programs are run from here, so a directory that another user has created first can't be trusted. */
    private static void refuseForeign(Path root) throws IOException {
        Path ours = Files.createTempFile(root, "owner", "");
        boolean foreign = !Files.getOwner(ours).equals(Files.getOwner(root));
        Files.delete(ours);
        if (foreign) {
            throw new ServerFailedException(root + " belongs to " + Files.getOwner(root)
                    + ": name another directory with -Doutboxed.servers.cache=<directory>");
        }
    }
}
