package io.outboxed.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HowItWorksPageTest {
    private static final Pattern STATION = Pattern.compile("(?m)^\\| (\\d+) \\| `([\\w/]+)` \\|");
    private static final Path SOURCES = Path.of("src/main/java/io/outboxed/internal");

    @Test
    void each_file_of_the_walk_is_there_and_named_once() throws IOException {
        List<String> walk = STATION.matcher(page())
                .results()
                .map(station -> station.group(2))
                .toList();

        assertThat(walk)
                .hasSizeGreaterThan(30)
                .doesNotHaveDuplicates()
                .allSatisfy(file -> assertThat(SOURCES.resolve(file + ".java")).exists());
    }

    @Test
    void the_stations_are_numbered_from_1_without_gaps() throws IOException {
        List<Integer> numbers = STATION.matcher(page())
                .results()
                .map(station -> Integer.valueOf(station.group(1)))
                .toList();

        assertThat(numbers)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, numbers.size()).boxed().toList());
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("../docs/how-it-works.md"));
    }
}
