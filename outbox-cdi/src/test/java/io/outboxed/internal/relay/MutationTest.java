package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.guards.EditedClasses;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code mvn -Pmutations} takes a while, so it is not part of the build; its list is. */
class MutationTest {

    static Stream<Mutation> all() {
        return Mutation.ALL.stream();
    }

    @ParameterizedTest
    @MethodSource("all")
    void the_rule_that_a_mutation_takes_away_is_still_written_as_the_list_says(Mutation mutation) throws IOException {
        assertThat(EditedClasses.sources(mutation.edits())).isNotEmpty();
    }
}
