package io.outboxed.guards;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The tables of guards. An entry is a paragraph: tests, one a line, then the edits that each of them must notice.
 *
 * <pre>
 * WrittenLastTest.a_rollback_writes_and_signals_nothing
 * at outbox-cdi/internal/capture/TransactionRows
 * - what the file contains exactly once; several lines begin with "- "
 * + what stands there instead; no such line: nothing
 * </pre>
 *
 * {@code on MySql} after the tests: by the class of the contract for that database, otherwise by that for H2.
 */
final class GuardTable {
    private static final Path ROOT = Path.of("..");
    private static final Path TABLES = Path.of("outbox-cdi/src/test/resources/guards");

    private GuardTable() {}

    static List<Guard> all() throws IOException {
        try (Stream<Path> tables = Files.list(ROOT.resolve(TABLES))) {
            return tables.sorted()
                    .filter(table -> !table.endsWith("not-shown.txt"))
                    .flatMap(table -> paragraphs(table).map(GuardTable::guard))
                    .toList();
        }
    }

    /** Tests that no guard shows, with the reason. A heading ends with a colon; its tests follow, one a line. */
    static List<String> notShown() {
        return lines(ROOT.resolve(TABLES).resolve("not-shown.txt"))
                .filter(line -> !line.isBlank() && !line.endsWith(":"))
                .toList();
    }

    private static Stream<String> paragraphs(Path table) {
        return Arrays.stream(String.join("\n", lines(table).toList()).split("\\n\\n+"))
                .filter(paragraph -> !paragraph.startsWith("#") && !paragraph.isBlank());
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Guard guard(String paragraph) {
        List<String> tests = new ArrayList<>();
        String database = "H2";
        List<Edit> edits = new ArrayList<>();
        Path file = null;
        List<String> find = new ArrayList<>();
        List<String> replacement = new ArrayList<>();
        for (String line : (paragraph + "\nat end/end").lines().toList()) {
            if (line.startsWith("-")) {
                if (!replacement.isEmpty()) {
                    add(edits, file, find, replacement);
                }
                find.add(line.substring(1));
            } else if (line.startsWith("+")) {
                replacement.add(line.substring(1));
            } else if (line.startsWith("at ")) {
                if (!find.isEmpty()) {
                    add(edits, file, find, replacement);
                }
                file = file(line.substring(3));
            } else if (line.startsWith("on ")) {
                database = line.substring(3);
            } else {
                tests.add(line.strip());
            }
        }
        return new Guard(List.copyOf(tests), database, List.copyOf(edits));
    }

    private static void add(List<Edit> edits, Path file, List<String> find, List<String> replacement) {
        edits.add(new Edit(file, String.join("\n", find), String.join("\n", replacement)));
        find.clear();
        replacement.clear();
    }

    private static Path file(String name) {
        int module = name.indexOf('/');
        String file = name.endsWith(".sql")
                ? "src/main/resources/io/outboxed" + name.substring(module)
                : "src/main/java/io/outboxed" + name.substring(module) + ".java";
        return ROOT.resolve(name.substring(0, module)).resolve(file);
    }
}
