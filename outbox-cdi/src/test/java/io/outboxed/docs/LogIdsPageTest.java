package io.outboxed.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page explains exactly the ids that the code uses, each once; a log line's id has one place in the code. */
class LogIdsPageTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `OUTBOX-(\\d{4})` \\|");
    private static final Pattern WHOLE = Pattern.compile("OUTBOX-(\\d{4})");
    /** Where a list of problems is collected, the prefix is added to the number later. */
    private static final Pattern NUMBER = Pattern.compile("\"(0\\d{3})\"");

    @Test
    void the_page_and_the_code_have_the_same_ids() throws IOException {
        Set<String> used = new TreeSet<>();
        for (String source : sources()) {
            used.addAll(ids(WHOLE, source));
            used.addAll(ids(NUMBER, source));
        }

        assertThat(ids(ROW, Files.readString(ROOT.resolve("docs/log-ids.md"))))
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(used);
    }

    @Test
    void a_reader_finds_an_id_by_its_number() throws IOException {
        for (String section : Files.readString(ROOT.resolve("docs/log-ids.md")).split("\n## ")) {
            assertThat(ids(ROW, section)).isSorted();
        }
    }

    @Test
    void an_id_of_the_log_stands_for_one_line() throws IOException {
        List<String> logged =
                ids(WHOLE, Files.readString(Path.of("src/main/java/io/outboxed/internal/log/OutboxLog.java")));

        assertThat(logged).isNotEmpty().doesNotHaveDuplicates();
    }

    private static List<String> ids(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }

    private static List<String> sources() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .flatMap(directory -> javaFiles(directory).stream())
                    .toList();
        }
    }

    private static List<String> javaFiles(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(LogIdsPageTest::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
