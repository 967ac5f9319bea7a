package io.outboxed.guards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code mvn -Pguards} takes a while, so it is not part of the build; its tables are. */
class GuardTest {
    private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+\\.[a-z0-9]+(?:_[a-z0-9]+)+)`");

    static Stream<Guard> all() throws IOException {
        return GuardTable.all().stream();
    }

    @ParameterizedTest
    @MethodSource("all")
    void what_is_taken_away_is_still_written_as_the_table_says(Guard guard) throws IOException {
        assertThat(guard.tests()).isNotEmpty();
        assertThat(EditedClasses.sources(guard.edits())).isNotEmpty();
    }

    @Test
    void each_test_on_the_page_of_guarantees_is_in_a_table_or_is_listed_with_a_reason() throws IOException {
        Set<String> named = new TreeSet<>();
        NAMED.matcher(Files.readString(Path.of("../docs/guarantees.md")))
                .results()
                .forEach(found -> named.add(found.group(1)));
        Set<String> shown = new TreeSet<>();
        all().forEach(guard -> shown.addAll(guard.tests()));

        assertThat(GuardTable.notShown()).doesNotHaveDuplicates().doesNotContainAnyElementsOf(shown);
        shown.addAll(GuardTable.notShown());
        assertThat(shown).isEqualTo(named);
    }
}
