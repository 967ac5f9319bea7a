package io.outboxed.jms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/jms.md has the defaults of the code, and its example compiles. */
class JmsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "jms.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(outbox\\.jms\\.[a-z-]+)` \\| `([^`]*)` \\|");

    @Test
    void the_page_and_the_code_have_the_same_defaults() throws IOException {
        Map<String, String> documented = ROW.matcher(Files.readString(PAGE))
                .results()
                .collect(Collectors.toMap(row -> row.group(1), row -> row.group(2)));

        assertThat(documented)
                .isEqualTo(Map.of(
                        JmsKeys.CONNECTION_FACTORY, JmsKeys.DEFAULT_CONNECTION_FACTORY,
                        JmsKeys.UNROUTED, JmsKeys.DEAD_LETTER,
                        JmsKeys.SOURCE, JmsKeys.DEFAULT_SOURCE));
    }

    @Test
    void the_consumer_on_the_page_is_one_that_compiles() throws IOException {
        String code = normal(Files.readString(Path.of("src/test/java/org/example/billing/Billing.java")));
        String example = Files.readString(PAGE).split("## Consumers", 2)[1].split("```(?:java)?", 3)[1];

        assertThat(code).contains(normal(example));
    }

    /** Without comments and indentation. */
    private static String normal(String code) {
        return code.replaceAll("//.*", "").replaceAll("\\s+", " ").strip();
    }
}
