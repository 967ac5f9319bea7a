package io.outboxed.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageTest {
    private static final Map<String, String> WORKLOADS = Map.of("W1", "drain a backlog");

    @TempDir
    Path directory;

    @Test
    void text_above_the_mark_is_kept() throws IOException {
        Files.writeString(directory.resolve("README.md"), "# Mine\n\nAn account.\n" + Page.MARK + "\nold figures\n");

        record("2026-01-01T00:00:00Z", "mysql", 5);

        assertThat(page()).startsWith("# Mine\n\nAn account.\n").doesNotContain("old figures");
    }

    @Test
    void a_new_run_replaces_the_figures_of_its_own_database_only() throws IOException {
        record("2026-01-01T00:00:00Z", "mysql", 111);
        record("2026-01-01T00:00:00Z", "postgresql", 222);
        record("2026-01-02T00:00:00Z", "mysql", 333);

        assertThat(page())
                .contains("| mysql |  | outboxed | 333.0")
                .contains("| postgresql |  | outboxed | 222.0")
                .doesNotContain("111")
                .contains("**0.100, wanted at least 0.600: missed by 83 %**");
    }

    @Test
    void a_chart_is_well_formed_and_shows_the_figure() throws Exception {
        record("2026-01-01T00:00:00Z", "mysql", 12_345);

        Path chart = directory.resolve("w1-messages-per-second.svg");
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(chart.toFile());
        assertThat(Files.readString(chart)).contains("mysql: outboxed").contains("12345");
    }

    private void record(String date, String database, double rate) {
        Recorded recorded = Recorded.in(directory);
        recorded.add(
                new Run(date, "mvn -Pbench", "a machine", database, "versions"),
                List.of(new Result(
                        "W1",
                        "",
                        "outboxed",
                        database,
                        "messages_per_second",
                        new Sample(rate, rate * 0.9, rate * 1.2),
                        0.5)),
                List.of(TargetCheck.atLeast("W1", database, "rate", 0.6, 0.1)));
        recorded.write(directory);
        new Page(directory, recorded).write(WORKLOADS);
    }

    private String page() throws IOException {
        return Files.readString(directory.resolve("README.md"));
    }
}
