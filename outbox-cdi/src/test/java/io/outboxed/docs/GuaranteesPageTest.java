package io.outboxed.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each promise names tests, and these tests exist. */
class GuaranteesPageTest {
    private static final Path ROOT = Path.of("..");
    /** Tests that several modules have in common are in the main code of one. */
    private static final Path CONTRACT = Path.of("src/main/java/io/outboxed/operator");

    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+)\\.([a-z0-9]+(?:_[a-z0-9]+)+)`");

    @Test
    void each_promise_has_tests_and_each_test_exists() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/guarantees.md"));
        Map<String, String> sources = testSources();
        List<String> problems = new ArrayList<>();
        int promises = 0;
        for (String section : page.split("\n## ")) {
            List<MatchResult> tests = TEST.matcher(section).results().toList();
            if (section.matches("(?s)\\d+\\. .*")) {
                promises++;
                if (tests.isEmpty()) {
                    problems.add("no test under " + section.lines().findFirst().orElseThrow());
                }
            }
            tests.stream()
                    .filter(test -> !sources.getOrDefault(test.group(1), "").contains("void " + test.group(2) + "("))
                    .forEach(test -> problems.add("no such test: " + test.group()));
        }

        assertThat(promises).isEqualTo(12);
        assertThat(problems).isEmpty();
    }

    /** By class name. */
    private static Map<String, String> testSources() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules.flatMap(module -> Stream.of(module.resolve("src/test/java"), module.resolve(CONTRACT)))
                    .filter(Files::isDirectory)
                    .flatMap(directory -> javaFiles(directory).stream())
                    .collect(Collectors.toMap(
                            file -> file.getFileName().toString().replace(".java", ""),
                            GuaranteesPageTest::read,
                            String::concat));
        }
    }

    private static List<Path> javaFiles(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
