package io.outboxed.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The tables of the documents are those of the last full run, {@code docs/compatibility.csv}; with {@code
 * -Dcompatibility.write=true} they are written instead of compared.
 */
class CompatibilityPageTest {
    private static final Path DOCS = Path.of("..", "docs");

    @ParameterizedTest
    @CsvSource({"../README.md, summary", "../docs/compatibility.md, full"})
    void the_page_shows_the_last_full_run(Path page, String table) throws IOException {
        CompatibilityTables tables =
                new CompatibilityTables(Files.readAllLines(DOCS.resolve("compatibility.csv")).stream()
                        .skip(1)
                        .map(Cell::parse)
                        .toList());
        String expected = table.equals("full") ? tables.full() : tables.summary();
        String text = Files.readString(page);
        Matcher marked = Pattern.compile("(?s)(<!-- compatibility: begin -->\n).*?(\n<!-- compatibility: end -->)")
                .matcher(text);
        assertThat(marked.find()).as("the marks in " + page).isTrue();
        String wanted = marked.replaceFirst("$1" + Matcher.quoteReplacement(expected) + "$2");

        if (Boolean.getBoolean("compatibility.write")) {
            Files.writeString(page, wanted);
        }

        assertThat(Files.readString(page)).isEqualTo(wanted);
    }

    @Test
    void a_run_with_a_failure_or_without_tests_is_not_a_success() {
        assertThat(Cell.parse("S 1,17.0.15,H2 2.4,30,1,60,2026-01-01 10:00").passed())
                .isFalse();
        assertThat(Cell.parse("S 1,17.0.15,H2 2.4,0,0,60,2026-01-01 10:00").passed())
                .isFalse();
        assertThat(Cell.parse("S 1,17.0.15,H2 2.4,30,0,60,2026-01-01 10:00").passed())
                .isTrue();
    }
}
