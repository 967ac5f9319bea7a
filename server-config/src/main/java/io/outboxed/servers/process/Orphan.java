package io.outboxed.servers.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A server that has outlived the JVM that had started it, because that JVM was killed. */
public final class Orphan {
    private static final int SECONDS_TO_END = 30;

    private Orphan() {}

    /**
     * Ends the process of the pid file, but only if {@code argument} proves that it is the intended server. If another
     * process has that id by now, the file is deleted, because PostgreSQL would refuse to start.
     */
    public static void end(Path pidFile, String argument) {
        end(pidFile, argument::equals);
    }

    /**
     * Ends the processes of all pid files in the directory or one level below it, but only those that have its name in
     * an argument: it has to be a name that no other directory had.
     */
    public static void endAllIn(Path directory) {
        try (Stream<Path> pidFiles =
                Files.find(directory, 2, (file, kind) -> file.toString().endsWith(".pid"))) {
            pidFiles.toList().forEach(file -> end(file, argument -> argument.contains(directory.toString())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void end(Path pidFile, Predicate<String> proof) {
        try {
            Optional<ProcessHandle> named = named(pidFile);
            if (named.isPresent() && arguments(named.get()).anyMatch(proof)) {
                end(named.get());
            } else if (named.isPresent()) {
                Files.delete(pidFile);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<ProcessHandle> named(Path pidFile) throws IOException {
        if (!Files.exists(pidFile)) {
            return Optional.empty();
        }
        return Files.readAllLines(pidFile).stream()
                .findFirst()
                .map(String::strip)
                .filter(line -> line.matches("\\d{1,10}"))
                .flatMap(line -> ProcessHandle.of(Long.parseLong(line)));
    }

    /** On Linux the JDK reads a page of them, and reports none if there are more: a class path is often that long. */
    private static Stream<String> arguments(ProcessHandle process) {
        Path all = Path.of("/proc", Long.toString(process.pid()), "cmdline");
        return process.info().arguments().map(Stream::of).orElseGet(() -> separated(all));
    }

    private static Stream<String> separated(Path arguments) {
        try {
            return Stream.of(new String(Files.readAllBytes(arguments), StandardCharsets.UTF_8).split("\0"));
        } catch (IOException e) {
            return Stream.empty(); // another system, or the process has ended
        }
    }

    private static void end(ProcessHandle server) {
        // Killed, not stopped: a database is designed to survive that, and PostgreSQL would wait for its clients.
        server.descendants().toList().forEach(ProcessHandle::destroyForcibly);
        server.destroyForcibly();
        try {
            server.onExit().get(SECONDS_TO_END, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new ServerFailedException("Process " + server.pid() + " of an earlier run does not end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerFailedException("Interrupted", e);
        }
    }
}
