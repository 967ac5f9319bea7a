package io.outboxed.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What the nodes have logged. */
final class Logs {
    private static final String NOT_SERIALISED = "OUTBOX-0417";

    private Logs() {}

    /**
     * All writers of the run are serialised, so each is false.
     *
     * @param journals each is in the directory of its node's start
     */
    static long accusations(List<Path> journals) {
        return journals.stream()
                .map(journal -> journal.resolveSibling("server.log"))
                .distinct()
                .mapToLong(Logs::accusations)
                .sum();
    }

    private static long accusations(Path log) {
        // a killed server may have logged half of a character
        try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.contains(NOT_SERIALISED)).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
