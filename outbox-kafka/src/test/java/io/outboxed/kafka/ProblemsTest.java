package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** Which problems are logged. */
class ProblemsTest {
    private static final Set<String> TOPIC = Set.of("orders");

    private final Problems problems = new Problems();

    @Test
    void another_kind_of_problem_is_new_but_other_words_are_not() {
        assertThat(problems.notAnswered(TOPIC, new TimeoutException("after 1 attempt")))
                .isTrue();
        assertThat(problems.notAnswered(TOPIC, new TimeoutException("after 2 attempts")))
                .isFalse();
        assertThat(problems.notAnswered(TOPIC, new SaslAuthenticationException("no such user")))
                .isTrue();
        assertThat(problems.answered(TOPIC, Map.of("orders", "topic orders: it does not exist")))
                .isTrue();
        assertThat(problems.texts()).containsExactly("topic orders: it does not exist");
    }

    @Test
    void problems_that_take_turns_are_new_once_until_the_topic_is_good() {
        assertThat(problems.notAnswered(TOPIC, new TimeoutException())).isTrue();
        assertThat(problems.answered(TOPIC, Map.of("orders", "?"))).isTrue();
        assertThat(problems.notAnswered(TOPIC, new TimeoutException())).isFalse();

        assertThat(problems.answered(TOPIC, Map.of())).isFalse();
        assertThat(problems.notAnswered(TOPIC, new TimeoutException())).isTrue();
    }
}
