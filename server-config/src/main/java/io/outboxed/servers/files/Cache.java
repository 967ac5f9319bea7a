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
import java.util.stream.Stream;

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
     * The directory of that name, created by {@code maker} if it is missing, or has lost files: many systems delete those
     * in the temporary directory that have not been read for some days. Other JVMs wait, and never see an incomplete one.
     */
    public static synchronized Path once(String name, Consumer<Path> maker) {
        Path made = root().resolve(name);
        if (isComplete(made)) {
            return made;
        }
        Path lockFile = directory("locks").resolve(name);
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            if (!isComplete(made)) {
                Path unfinished = emptied(name + ".unfinished");
                Files.createDirectories(unfinished);
                maker.accept(unfinished);
                if (Files.exists(made)) {
                    // a server that still runs from it keeps the files that it has open
                    Files.move(made, emptied(name + ".incomplete"), StandardCopyOption.ATOMIC_MOVE);
                }
                Files.move(unfinished, made, StandardCopyOption.ATOMIC_MOVE);
                Files.writeString(entriesOf(made), Long.toString(entries(made)));
                emptied(name + ".incomplete");
            }
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException("The cache of unpacked servers cannot be written: " + made, e);
        }
    }

    private static boolean isComplete(Path made) {
        try {
            return Files.isDirectory(made) && entries(made) >= Long.parseLong(Files.readString(entriesOf(made)));
        } catch (IOException | UncheckedIOException | NumberFormatException e) {
            // one that another JVM is just replacing, or whose number was deleted
            return false;
        }
    }

    /** Programs create further files next to their own, but not many, and not for long. */
    private static long entries(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.count();
        }
    }

    /** Written last, and beside the directory: what is in it is copied for servers. */
    private static Path entriesOf(Path made) {
        return made.resolveSibling(made.getFileName() + ".entries");
    }

    private static Path emptied(String name) {
        Path directory = root().resolve(name);
        ServerDirectory.delete(directory);
        return directory;
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
