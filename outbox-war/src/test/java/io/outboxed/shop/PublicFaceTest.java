package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whatever shows how the outbox is used needs only its public types: no internal package, no table of the outbox. */
class PublicFaceTest {
    private static final Path ROOT = Path.of("..");
    private static final List<String> APPLICATIONS =
            List.of("outbox-war/src/main", "examples/lending/src", "examples/reactive-messaging/src/main");
    private static final List<String> PAGES = List.of(
            "README.md",
            "docs/publishing-and-handling.md",
            "docs/operations.md",
            "docs/command-line.md",
            "docs/dead-letters.md",
            "docs/log-ids.md",
            "docs/tables.md",
            "docs/observability.md");

    /** Pages may name the table, for example as one that lacks an index, but not access its rows. */
    private static final Pattern ACCESS_BY_SQL = Pattern.compile("(?i)\\b(from|join|into|update)\\s+outbox_dead\\b");

    @Test
    void no_application_names_an_internal_package() {
        assertThat(applications()).isNotEmpty().noneMatch(file -> holds(file, "io.outboxed.internal"));
    }

    @Test
    void no_application_reads_a_table_of_the_outbox_and_no_page_for_users_dead_letters_by_sql() {
        assertThat(applications()).noneMatch(file -> holds(file, "outbox_"));
        assertThat(PAGES.stream().map(ROOT::resolve))
                .noneMatch(file -> ACCESS_BY_SQL.matcher(read(file)).find());
    }

    @Test
    void no_page_for_users_names_an_internal_package() {
        assertThat(PAGES.stream().map(ROOT::resolve)).noneMatch(file -> holds(file, "io.outboxed.internal"));
    }

    private static List<Path> applications() {
        return APPLICATIONS.stream()
                .flatMap(each -> sources(ROOT.resolve(each)).stream())
                .toList();
    }

    private static List<Path> sources(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean holds(Path file, String text) {
        return read(file).contains(text);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
