package io.outboxed.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The tables of the documents are those of the last full run, {@code docs/compatibility.csv}; with {@code
 * -Dcompatibility.write=true} they are written instead of compared.
 */
class CompatibilityPageTest {
    private static final Duration ALLOWANCE = Duration.ofDays(3);
    private static final Path DOCS = Path.of("..", "docs");
    /** As in the pom and in the table. */
    private static final Map<String, String> SERVERS = Map.of(
            "payara", "Payara Micro",
            "payara-server", "Payara Server",
            "wildfly", "WildFly",
            "liberty", "Open Liberty");

    @ParameterizedTest
    @CsvSource({"../README.md, summary", "../docs/compatibility.md, full"})
    void the_page_shows_the_last_full_run(Path page, String table) throws IOException {
        CompatibilityTables tables = new CompatibilityTables(cells());
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
    void the_runs_are_at_most_three_days_older_than_the_main_code() throws Exception {
        assertThat(outdated(cells(), lastCommitToMainCode()))
                .as("run `mvn -N -Pmatrix`")
                .isEmpty();
    }

    @Test
    void a_run_that_is_more_than_three_days_older_is_found() throws Exception {
        List<Cell> cells = cells();
        LocalDateTime first = cells.stream()
                .map(CompatibilityPageTest::startedAt)
                .min(LocalDateTime::compareTo)
                .orElseThrow();

        assertThat(outdated(cells, first.plus(ALLOWANCE))).isEmpty();
        assertThat(outdated(cells, first.plus(ALLOWANCE).plusMinutes(1))).isNotEmpty();
    }

    @Test
    void each_run_has_all_classes_that_a_run_of_today_would_have() throws IOException {
        String[] wanted = pom("matrix.tests").split(",");

        assertThat(cells())
                .as("run `mvn -N -Pmatrix`")
                .isNotEmpty()
                .allSatisfy(cell -> assertThat(cell.classes()).containsExactlyInAnyOrder(wanted));
    }

    @Test
    void each_server_has_run_on_each_jdk_and_database() throws IOException {
        List<Cell> cells = cells();
        Set<String> jdks = cells.stream().map(Cell::javaMajor).collect(Collectors.toSet());
        List<String> wanted = new ArrayList<>();
        for (String server : pom("matrix.servers").split(" ")) {
            for (String jdk : server.equals("payara-server") ? Set.of("17") : jdks) {
                for (String database : pom("matrix.databases").split(" ")) {
                    wanted.add(run(SERVERS.get(server), jdk, database));
                }
            }
        }

        assertThat(cells)
                .as("run `mvn -N -Pmatrix`")
                .extracting(cell -> run(
                        cell.server().replaceFirst(" [^ ]+$", ""),
                        cell.javaMajor(),
                        cell.database().split(" ")[0]))
                .doesNotHaveDuplicates()
                .containsAll(wanted);
    }

    private static String run(String server, String jdk, String database) {
        return server + ", Java " + jdk + ", " + database.toLowerCase(Locale.ROOT);
    }

    @Test
    void a_test_of_a_deployment_is_in_the_matrix_and_the_page_names_the_others() throws IOException {
        List<Path> all;
        try (Stream<Path> sources = Files.walk(Path.of("src", "test", "java"))) {
            all = sources.filter(each -> each.toString().endsWith("IT.java")).toList();
        }
        List<String> deployed = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (Path each : all) {
            String name = each.getFileName().toString().replace(".java", "");
            (Files.readString(each).contains("    @Deployment") ? deployed : others).add(name);
        }

        assertThat(deployed).containsExactlyInAnyOrder(pom("matrix.tests").split(","));
        String page = Files.readString(DOCS.resolve("compatibility.md"));
        assertThat(others).isNotEmpty().allSatisfy(each -> assertThat(page).contains("`" + each + "`"));
    }

    private static String pom(String property) throws IOException {
        Matcher found = Pattern.compile("<" + Pattern.quote(property) + ">([^<]+)</")
                .matcher(Files.readString(DOCS.resolveSibling("pom.xml")));
        assertThat(found.find()).as(property).isTrue();
        return found.group(1);
    }

    private static List<Cell> outdated(List<Cell> cells, LocalDateTime lastCommit) {
        return cells.stream()
                .filter(cell -> startedAt(cell).plus(ALLOWANCE).isBefore(lastCommit))
                .toList();
    }

    private static LocalDateTime startedAt(Cell cell) {
        return LocalDateTime.parse(cell.started().replace(' ', 'T'));
    }

    /** In UTC. Long ago if there is no history to ask, as in an archive of the sources. */
    private static LocalDateTime lastCommitToMainCode() throws IOException, InterruptedException {
        LocalDateTime longAgo = LocalDateTime.of(2026, 1, 1, 0, 0);
        if (!Files.exists(DOCS.resolveSibling(".git"))) {
            return longAgo;
        }
        Process git = new ProcessBuilder("git", "log", "-1", "--format=%cI", "--", ":(top,glob)**/src/main/**")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return git.waitFor() == 0 && !answer.isEmpty()
                ? OffsetDateTime.parse(answer)
                        .withOffsetSameInstant(ZoneOffset.UTC)
                        .toLocalDateTime()
                : longAgo;
    }

    private static List<Cell> cells() throws IOException {
        return Files.readAllLines(DOCS.resolve("compatibility.csv")).stream()
                .skip(1)
                .map(Cell::parse)
                .toList();
    }

    @Test
    void a_run_with_a_failure_or_without_tests_is_not_a_success() {
        assertThat(Cell.parse("S 1,17.0.15,H2 2.4,30,1,60,2026-01-01 10:00,1a2b3c4d,ShopIT")
                        .passed())
                .isFalse();
        assertThat(Cell.parse("S 1,17.0.15,H2 2.4,0,0,60,2026-01-01 10:00,1a2b3c4d,ShopIT")
                        .passed())
                .isFalse();
        assertThat(Cell.parse("S 1,17.0.15,H2 2.4,30,0,60,2026-01-01 10:00,1a2b3c4d,ShopIT")
                        .passed())
                .isTrue();
    }
}
