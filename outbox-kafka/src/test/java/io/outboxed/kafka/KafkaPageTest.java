package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/kafka.md has the defaults and formats of the code, and shows the example as it is tested. */
class KafkaPageTest {
    private static final Path PAGE = Path.of("..", "docs", "kafka.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `outbox\\.kafka\\.([a-z.]+)` \\| `([^`]*)` \\|");
    private static final Pattern FORMAT = Pattern.compile("(?m)^\\| `([a-z]+)` \\| (?:\\[|`id`|the headers)");

    @Test
    void the_page_and_the_code_have_the_same_defaults() throws IOException {
        Map<String, String> documented = new HashMap<>();
        ROW.matcher(Files.readString(PAGE)).results().forEach(row -> documented.put(row.group(1), row.group(2)));

        Map<String, String> expected = new HashMap<>(KafkaKeys.PRODUCER_DEFAULTS);
        expected.put("unrouted", KafkaKeys.word(KafkaKeys.DEFAULT_UNROUTED));
        expected.put("format", KafkaKeys.word(KafkaKeys.DEFAULT_FORMAT));
        expected.put("source", KafkaKeys.DEFAULT_SOURCE);
        expected.put("strict", String.valueOf(KafkaKeys.DEFAULT_STRICT));
        expected.putAll(KafkaKeys.STRICT_DEFAULTS);
        assertThat(documented).isEqualTo(expected);
    }

    @Test
    void the_page_describes_each_format() throws IOException {
        assertThat(FORMAT.matcher(Files.readString(PAGE)).results().map(row -> row.group(1)))
                .containsExactlyInAnyOrder("cloudevents", "debezium", "raw");
    }

    @Test
    void the_consumer_on_the_page_is_the_one_that_is_tested() throws IOException {
        StringBuilder sources = new StringBuilder();
        for (String name : List.of("OrdersConsumer", "Billing", "OrdersPolling")) {
            sources.append(Files.readString(Path.of("src/test/java/org/example/billing", name + ".java")));
        }
        String code = normal(sources.toString());
        String consumers = Files.readString(PAGE).split("## Consumers", 2)[1];
        assertThat(Pattern.compile("(?s)```java\n(.*?)```")
                        .matcher(consumers)
                        .results()
                        .map(MatchResult::group))
                .hasSize(3)
                .allSatisfy(block -> assertThat(code)
                        .contains(normal(block.replace("```java", "").replace("```", ""))));
    }

    /** Without comments and indentation. */
    private static String normal(String code) {
        return code.replaceAll("//.*", "").replaceAll("\\s+", " ").strip();
    }
}
