package io.outboxed.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.ConfigKey;
import io.outboxed.internal.config.ConfigKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page lists exactly the keys that exist, in their order, with the defaults and limits that hold. */
class ConfigurationPageTest {
    private static final Path PAGE = Path.of("..", "docs", "configuration.md");

    @Test
    void the_page_and_the_code_agree() throws IOException {
        List<String> documented = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| `outbox."))
                .toList();

        assertThat(documented)
                .containsExactlyElementsOf(
                        ConfigKeys.ALL.stream().map(ConfigurationPageTest::row).toList());
    }

    private static String row(ConfigKey<?> key) {
        String defaultText = key.defaultText().isEmpty() ? "" : "`" + key.defaultText() + "`";
        return "| `" + key.name() + "` | " + defaultText + " | "
                + key.allowed().description().replace("|", "\\|") + " | " + key.meaning() + " |";
    }
}
