package io.outboxed.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page lists exactly the keys that exist, in their order, with the defaults and limits that hold. */
class ConfigurationPageTest {
    private static final Path PAGE = Path.of("..", "docs", "configuration.md");

    @Test
    void the_page_and_the_code_say_the_same() throws IOException {
        List<String> documented = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| `outbox."))
                .toList();

        assertThat(documented)
                .containsExactlyElementsOf(
                        ConfigKeys.ALL.stream().map(ConfigurationPageTest::row).toList());
    }

    private static String row(ConfigKey<?> key) {
        String standard = key.standardText().isEmpty() ? "" : "`" + key.standardText() + "`";
        return "| `" + key.name() + "` | " + standard + " | "
                + key.allowed().words().replace("|", "\\|") + " | " + key.meaning() + " |";
    }
}
