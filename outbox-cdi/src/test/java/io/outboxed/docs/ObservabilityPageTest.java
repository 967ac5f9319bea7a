package io.outboxed.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page's example is the one that the tests run. */
class ObservabilityPageTest {

    @Test
    void the_example_is_the_code_that_is_tested() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "observability.md"));
        String code = Files.readString(Path.of("src/test/java/io/outboxed/example/CallerPropagator.java"));

        assertThat(page).contains("```java\n" + code.substring(code.indexOf("@ApplicationScoped")) + "```\n");
    }
}
