package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** Which problems are logged. */
class TopicProblemsTest {
    private static final Set<String> TOPIC = Set.of("orders");

    private final TopicProblems problems = new TopicProblems(System::nanoTime);

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

    @Test
    void an_outage_ends_for_all_topics_when_a_broker_answers_about_one() {
        problems.notAnswered(Set.of("orders", "customers"), new TimeoutException());

        problems.answered(TOPIC, Map.of());

        assertThat(problems.exist()).isFalse();
        assertThat(problems.of("customers")).isEqualTo("it was not checked");
    }

    @Test
    void what_is_wrong_with_one_topic_stays_when_a_broker_answers_about_another() {
        problems.answered(Set.of("customers"), Map.of("customers", "topic customers: it does not exist"));

        problems.answered(TOPIC, Map.of());

        assertThat(problems.texts()).containsExactly("topic customers: it does not exist");
    }

    @Test
    void a_client_that_could_not_be_made_now_says_nothing_about_the_settings() {
        KafkaException interrupted =
                new KafkaException("Failed to construct kafka producer", new InterruptException("the node stops"));
        assertThat(Thread.interrupted()).as("Kafka's exception sets it").isTrue();
        assertThat(problems.noClient(TOPIC, interrupted)).isTrue();
        assertThat(problems.of("orders")).startsWith("it does not answer").contains("InterruptException");

        ConfigException noAddress = new ConfigException("No resolvable bootstrap urls given in bootstrap.servers");
        assertThat(problems.noClient(TOPIC, new KafkaException("Failed to create new KafkaAdminClient", noAddress)))
                .as("it is the same kind of problem")
                .isFalse();
        assertThat(problems.of("orders")).startsWith("it does not answer").contains("No resolvable bootstrap urls");

        assertThat(problems.noClient(TOPIC, new KafkaException("?", new ConfigException("no such class"))))
                .isTrue();
        assertThat(problems.of("orders")).startsWith("Kafka's client can't be made with the settings");
    }

    @Test
    void of_several_problems_each_is_new_once() {
        String first = "topic orders: no right";
        String second = "transactional ids shop-*: no right";
        assertThat(problems.answered(TOPIC, Map.of("orders", first + TopicProblems.SEPARATOR + second)))
                .isTrue();
        assertThat(problems.texts()).containsExactly(first, second);
        assertThat(problems.answered(TOPIC, Map.of("orders", second))).isFalse();
    }
}
