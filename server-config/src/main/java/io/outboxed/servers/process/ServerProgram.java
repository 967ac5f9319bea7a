package io.outboxed.servers.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How a server's program is run, and how it is asked to end.
 *
 * @param log the file to which all its output is appended
 * @param endSignal the name of the signal that ends it cleanly and quickly
 */
public record ServerProgram(
        String name, List<String> command, Map<String, String> environment, Path log, String endSignal) {

    void askToEnd(ProcessHandle process) {
        if (endSignal.equals("TERM")) {
            process.destroy();
            return;
        }
        send(endSignal, process);
    }

    /** Only for a JVM. Its log gets a stack trace of each thread. */
    void dumpThreads(ProcessHandle process) {
        send("QUIT", process);
    }

    private static void send(String signal, ProcessHandle process) {
        try {
            new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid())
                    .start()
                    .waitFor();
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }

    ServerFailedException failed(String what, int lines) {
        return new ServerFailedException(name + " " + what + ". Its log " + log + " ends with:\n" + lastLines(lines)
                + "\nCommand: " + String.join(" ", command));
    }

    private String lastLines(int lines) {
        try (Stream<String> all = Files.lines(log)) {
            List<String> kept = all.toList();
            return String.join("\n", kept.subList(Math.max(0, kept.size() - lines), kept.size()));
        } catch (IOException e) {
            return "(not readable: " + e + ")";
        }
    }
}
