package io.outboxed.reactivemessaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/reactive-messaging.md shows the example as it is tested. */
class ReactiveMessagingPageTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "reactive-messaging.md");
    private static final Path CODE = Path.of("src/main/java/org/example/events");

    @Test
    void the_code_on_the_page_is_the_code_that_is_tested() throws IOException {
        String code = normal(Files.readString(CODE.resolve("EventsChannel.java"))
                + Files.readString(CODE.resolve("BrokerOutages.java")));

        assertThat(blocks("java"))
                .hasSize(2)
                .allSatisfy(block -> assertThat(code).contains(normal(block)));
    }

    @Test
    void the_settings_on_the_page_are_those_that_are_tested() throws IOException {
        assertThat(blocks("properties"))
                .singleElement()
                .satisfies(block -> assertThat(settings(block))
                        .isEqualTo(settings(Files.readString(
                                Path.of("src/main/resources/META-INF/microprofile-config.properties")))));
    }

    private static List<String> blocks(String language) throws IOException {
        return Pattern.compile("(?s)```" + language + "\n(.*?)```")
                .matcher(Files.readString(PAGE))
                .results()
                .map((MatchResult block) -> block.group(1))
                .toList();
    }

    /** Without comments and indentation. */
    private static String normal(String code) {
        return code.replaceAll("//.*", "").replaceAll("\\s+", " ").strip();
    }

    private static List<String> settings(String text) {
        return Stream.of(text.split("\n"))
                .filter(line -> !line.startsWith("#") && !line.isBlank())
                .toList();
    }
}
