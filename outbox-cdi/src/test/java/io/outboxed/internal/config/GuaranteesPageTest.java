package io.outboxed.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+)\\.([a-z0-9]+(?:_[a-z0-9]+)+)`");

    @Test
    void each_promise_has_tests_and_each_test_exists() throws IOException {
        Map<String, String> sources = testSources();
        List<String> promises = Arrays.stream(Files.readString(ROOT.resolve("docs/guarantees.md"))
                        .split("\n## "))
                .filter(section -> section.matches("(?s)\\d+\\. .*"))
                .toList();

        assertThat(promises).hasSize(12).allSatisfy(promise -> {
            List<MatchResult> tests = TEST.matcher(promise).results().toList();
            assertThat(tests).as(promise.lines().findFirst().orElseThrow()).isNotEmpty();
            assertThat(tests).allSatisfy(test -> assertThat(sources.getOrDefault(test.group(1), "no such class"))
                    .as(test.group())
                    .contains("void " + test.group(2) + "("));
        });
    }

    private static Map<String, String> testSources() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .flatMap(GuaranteesPageTest::javaFiles)
                    .collect(Collectors.toMap(
                            file -> file.getFileName().toString().replace(".java", ""),
                            GuaranteesPageTest::read,
                            String::concat));
        }
    }

    private static Stream<Path> javaFiles(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
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
