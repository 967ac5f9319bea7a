package io.outboxed.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.metrics.DeliveryMeters;
import io.outboxed.internal.metrics.Metric;
import io.outboxed.internal.metrics.PrometheusText;
import io.outboxed.internal.retention.AgedTable;
import io.outboxed.internal.store.Backlog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page, the dashboard and the alerts name exactly the metrics, labels and words that the code has. */
class MetricsPageTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern SERIES = Pattern.compile("\\b(?:outbox|messaging)_[a-z_]+");
    private static final Pattern LABEL_IN_SELECTOR = Pattern.compile("([a-z_]+)(?:=~|!~|!=|=)\\\\?\"");
    private static final Pattern LABELS_OF_SUM = Pattern.compile("\\bby \\(([^)]*)\\)");
    private static final Pattern LABEL_IN_TEXT = Pattern.compile("\\{\\{ ?(?:\\$labels\\.)?([a-z_]+) ?}}");
    private static final Pattern WORD = Pattern.compile("`([a-z-]+)`");
    private static final Pattern QUOTED = Pattern.compile("\"([a-z-]+)\"");
    private static final Pattern TASK_NAME = Pattern.compile("return \"([a-z-]+)\";");
    private static final Pattern WORDS = Pattern.compile("(state|outcome)(?:=~|!=|=)\\\\?\"([a-z|]+)");

    @Test
    void the_page_has_one_row_for_each_metric_with_the_same_labels_and_meaning() throws IOException {
        List<String> rows = read("metrics.md")
                .lines()
                .filter(line -> line.startsWith("| `outbox.") || line.startsWith("| `messaging."))
                .filter(line -> line.split("\\|").length > 4)
                .toList();

        assertThat(rows)
                .containsExactlyElementsOf(
                        Arrays.stream(Metric.values()).map(MetricsPageTest::row).toList());
    }

    @Test
    void the_page_names_no_series_that_does_not_exist() throws IOException {
        assertThat(series(read("metrics.md"))).isSubsetOf(known());
    }

    @Test
    void the_dashboard_shows_every_metric_and_no_other() throws IOException {
        Set<String> shown = series(read("grafana/outboxed.json"));

        assertThat(shown).isSubsetOf(known());
        assertThat(Metric.values())
                .allSatisfy(metric -> assertThat(shown)
                        .as("%s", metric)
                        .anyMatch(name -> names(metric).anyMatch(name::equals)));
    }

    @Test
    void the_alerts_watch_only_what_exists() throws IOException {
        assertThat(series(read("alerts.yml"))).isNotEmpty().isSubsetOf(known());
        assertThat(series(read("alerts-test.yml"))).isNotEmpty().isSubsetOf(known());
    }

    @Test
    void each_alert_watches_metrics_and_the_page_says_which() throws IOException {
        List<String> rows = Stream.of(read("alerts.yml").split("- alert: "))
                .skip(1)
                .map(MetricsPageTest::rowOfAlert)
                .toList();

        assertThat(rows).hasSizeGreaterThan(10);
        assertThat(read("metrics.md").lines().filter(line -> line.startsWith("| `Outbox")))
                .containsExactlyElementsOf(rows);
    }

    private static String rowOfAlert(String rule) {
        String expression = rule.substring(rule.indexOf("expr:"), rule.indexOf("labels:"));
        Set<String> watched = series(expression).stream()
                .filter(name -> !name.equals("outbox_application"))
                .map(name ->
                        name.replaceFirst("_bucket$|_le_total$", "").replaceFirst("_(duration|lag)$", "_$1_seconds"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(watched).as(rule).isNotEmpty();
        String severity = rule.replaceFirst("(?s).*severity: (\\w+).*", "$1");
        return "| `" + rule.lines().findFirst().orElseThrow() + "` | " + severity + " | "
                + watched.stream().map(name -> "`" + name + "`").collect(Collectors.joining(", ")) + " |";
    }

    @Test
    void dashboard_and_alerts_use_labels_that_exist() throws IOException {
        Set<String> labels = Arrays.stream(Metric.Label.values())
                .map(label -> label.text().replace('.', '_'))
                .collect(Collectors.toCollection(TreeSet::new));
        labels.addAll(Set.of("le", "instance", "__name__"));

        for (String file : List.of("grafana/outboxed.json", "alerts.yml")) {
            String text = read(file);
            assertThat(found(LABEL_IN_SELECTOR, text)).as(file).isNotEmpty().isSubsetOf(labels);
            assertThat(found(LABEL_IN_TEXT, text)).as(file).isNotEmpty().isSubsetOf(labels);
            assertThat(found(LABELS_OF_SUM, text).stream()
                            .flatMap(list -> Stream.of(list.split(",\\s*")))
                            .filter(name -> !name.isBlank()))
                    .as(file)
                    .isNotEmpty()
                    .isSubsetOf(labels);
        }
    }

    @Test
    void the_words_of_state_and_outcome_are_those_of_the_code() throws IOException {
        Set<String> words = Stream.concat(
                        Stream.of(Backlog.State.values()), Stream.of(DeliveryMeters.AttemptResult.values()))
                .map(word -> word.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());

        for (String file : List.of("grafana/outboxed.json", "alerts.yml")) {
            assertThat(WORDS.matcher(read(file))
                            .results()
                            .flatMap(each -> Stream.of(each.group(2).split("\\|"))))
                    .as(file)
                    .isNotEmpty()
                    .isSubsetOf(words);
        }
        String page = read("metrics.md");
        assertThat(words).allSatisfy(word -> assertThat(page).contains("`" + word + "`"));
    }

    @Test
    void the_page_lists_the_tables_that_are_cleaned() throws IOException {
        assertThat(wordsOfLabel(Metric.Label.TABLE))
                .containsExactlyElementsOf(
                        Stream.of(AgedTable.values()).map(AgedTable::suffix).toList());
    }

    @Test
    void the_page_lists_the_tasks() throws IOException {
        List<String> tasks = quotedIn("implements MaintenanceTask", TASK_NAME);

        assertThat(tasks).doesNotHaveDuplicates();
        assertThat(wordsOfLabel(Metric.Label.TASK)).containsExactlyInAnyOrderElementsOf(tasks);
    }

    @Test
    void the_actions_that_the_page_has_as_examples_are_words_of_the_audit() throws IOException {
        assertThat(wordsOfLabel(Metric.Label.ACTION)).isNotEmpty().isSubsetOf(quotedIn("AuditTrail", QUOTED));
    }

    /** In the sentence that says what the label can be. */
    private static List<String> wordsOfLabel(Metric.Label label) throws IOException {
        Matcher sentence =
                Pattern.compile("(?s)`" + label.text() + "` is (.*?)[.;]\\s").matcher(read("metrics.md"));
        assertThat(sentence.find()).as("a sentence about %s", label.text()).isTrue();
        return WORD.matcher(sentence.group(1))
                .results()
                .map(word -> word.group(1))
                .toList();
    }

    /** In the sources with this text. */
    private static List<String> quotedIn(String text, Pattern pattern) throws IOException {
        List<String> quoted = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                String source = Files.readString(file);
                if (source.contains(text)) {
                    pattern.matcher(source)
                            .results()
                            .map(found -> found.group(1))
                            .forEach(quoted::add);
                }
            }
        }
        return quoted;
    }

    private static String row(Metric metric) {
        String kind = switch (metric.kind()) {
            case COUNTER -> "counter";
            case TIMER -> "histogram, s";
            case GAUGE -> "gauge";
            case AGE -> "gauge, s";
        };
        String labels = metric.labels().stream().map(Metric.Label::text).collect(Collectors.joining(", "));
        return "| `" + metric.text() + "` | `" + PrometheusText.name(metric) + "` | " + kind + " | "
                + (labels.isEmpty() ? "" : labels + " ") + "| " + metric.meaning() + " |";
    }

    private static Set<String> known() {
        return Stream.concat(
                        Arrays.stream(Metric.values()).flatMap(MetricsPageTest::names), Stream.of("outbox_application"))
                .collect(Collectors.toSet());
    }

    /** As Prometheus names it; the last form is WildFly's. */
    private static Stream<String> names(Metric metric) {
        String name = PrometheusText.name(metric);
        return metric.kind() == Metric.Kind.TIMER
                ? Stream.of(
                        name,
                        name + "_bucket",
                        name + "_count",
                        name + "_sum",
                        metric.text().replace('.', '_') + "_le_total")
                : Stream.of(name);
    }

    private static Set<String> series(String text) {
        return SERIES.matcher(text)
                .results()
                .map(found -> found.group())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String read(String file) throws IOException {
        return Files.readString(DOCS.resolve(file));
    }
}
