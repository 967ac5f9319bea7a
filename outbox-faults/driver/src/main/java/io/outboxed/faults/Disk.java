package io.outboxed.faults;

import io.outboxed.servers.files.Cache;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The database's disk: a tmpfs that can be made as small as what is on it. An ordinary user may mount one in namespaces
 * of his own, so the whole program runs once more in such namespaces.
 */
record Disk(Path directory) {
    private static final String MOUNTED = "faults.disk";
    private static final String SIZE = "2g";
    private static final int TRIES = 20;
    private static final int BLOCK = 4096;
    private static final List<String> OWN_NAMESPACES = List.of("unshare", "--user", "--map-root-user", "--mount");

    static boolean isMounted() {
        return System.getProperty(MOUNTED) != null;
    }

    static Optional<Disk> mounted() {
        String directory = System.getProperty(MOUNTED, "");
        return directory.isEmpty() ? Optional.empty() : Optional.of(new Disk(Path.of(directory)));
    }

    /**
     * Runs a program with the options and the class path of this one.
     *
     * @return its exit code; empty if this system does not allow such a disk
     */
    static OptionalInt run(Class<?> program) {
        try {
            Path directory = Files.createTempDirectory("outboxed-faults-disk-");
            String mount = "mount -t tmpfs -o size=" + SIZE + ",mode=755 tmpfs " + directory;
            if (!succeeds(inOwnNamespaces(mount + " && unshare --user true"))) {
                Console.line(
                        "left out: a full disk, because this user may not mount one (unshare --map-root-user --mount)");
                return OptionalInt.empty();
            }
            List<String> command = inOwnNamespaces(mount + " && exec \"$@\"");
            command.add("faults");
            command.addAll(java(directory, program));
            int code = run(command, Redirect.INHERIT);
            Files.delete(directory);
            return OptionalInt.of(code);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whoever writes gets ENOSPC from now on. */
    void fill() {
        try {
            FileStore store = Files.getFileStore(directory);
            for (int slack = 1; slack <= TRIES; slack++) {
                long used = store.getTotalSpace() - store.getUnallocatedSpace();
                // refused if more has been written meanwhile
                if (resize(Long.toString(used + (long) slack * BLOCK))) {
                    return;
                }
            }
            throw new IllegalStateException("the disk could not be filled");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void clear() {
        if (!resize(SIZE)) {
            throw new IllegalStateException("the disk could not be enlarged again");
        }
    }

    private boolean resize(String size) {
        return succeeds(List.of("mount", "-o", "remount,size=" + size, directory.toString()));
    }

    private static boolean succeeds(List<String> command) {
        try {
            return run(command, Redirect.DISCARD) == 0;
        } catch (IOException noSuchProgram) {
            return false;
        }
    }

    private static List<String> inOwnNamespaces(String script) {
        List<String> command = new ArrayList<>(OWN_NAMESPACES);
        command.addAll(List.of("sh", "-c", script));
        return command;
    }

    /** The user is called root there, but has to use the files of his own. */
    private static List<String> java(Path directory, Class<?> program) {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add("-Doutboxed.servers.cache=" + Cache.directory(".").normalize());
        command.add("-D" + MOUNTED + "=" + directory);
        command.add(program.getName());
        return command;
    }

    private static int run(List<String> command, Redirect output) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectInput(Redirect.INHERIT)
                .redirectOutput(output)
                .redirectError(output)
                .start();
        Thread hook = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            int code = process.waitFor();
            Runtime.getRuntime().removeShutdownHook(hook);
            return code;
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            return 1;
        }
    }
}
