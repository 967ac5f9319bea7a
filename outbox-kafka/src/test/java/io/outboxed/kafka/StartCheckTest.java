package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.broker.RealKafka;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.Test;

/** What a node says at its start, before any event: docs/kafka.md, "At the start". */
class StartCheckTest {
    private static final RealKafka KAFKA = RealKafka.shared();
    private static final String GOOD = "start-good";
    private static final String SMALL = "start-small";
    private static final String READ_ONLY = "start-read-only";
    private static final String HIDDEN = "start-hidden";
    private static final String MISSING = "start-missing";

    @Test
    void a_start_names_all_topics_that_are_missing_too_small_or_forbidden_in_one_line() throws InterruptedException {
        createTopics();
        KafkaSettings settings = settings();
        Patience.until(
                "the brokers know of the rights",
                () -> problems(settings).keySet().equals(Set.of(SMALL, READ_ONLY, HIDDEN, MISSING)));

        assertThat(loggedAtTheStartOf(settings, true))
                .singleElement()
                .satisfies(line -> assertThat(line.lines().map(String::strip).skip(1))
                        .containsExactly(
                                "topic " + HIDDEN + ": this application has no permission to see it (DESCRIBE)",
                                "topic " + MISSING
                                        + ": it does not exist, or this application has no permission to see it. Create"
                                        + " it, or change outbox.kafka.route.*",
                                "topic " + READ_ONLY + ": this application has no permission to write to it (WRITE)",
                                "topic " + SMALL + " takes messages of at most 500000 bytes (max.message.bytes), but"
                                        + " outbox.kafka.max.request.size is 1048576. Set it to at most 500000, or raise"
                                        + " max.message.bytes"));
        assertThat(loggedAtTheStartOf(settings, false))
                .as("of a node without a relay")
                .isEmpty();
    }

    private static void createTopics() {
        for (String topic : List.of(GOOD, READ_ONLY, HIDDEN)) {
            KAFKA.createTopic(topic);
        }
        KAFKA.createTopic(SMALL, Map.of("max.message.bytes", "500000"));
        KAFKA.allow(READ_ONLY, AclOperation.DESCRIBE);
        KAFKA.allow(HIDDEN, AclOperation.ALTER_CONFIGS);
    }

    private static List<String> loggedAtTheStartOf(KafkaSettings settings, boolean relays) throws InterruptedException {
        KafkaForwarder forwarder = new KafkaForwarder(settings, relays);
        try (LoggedLines log = new LoggedLines()) {
            forwarder.checkBroker("the application");
            return log.with("OUTBOX-0890");
        } finally {
            forwarder.close();
        }
    }

    private static Map<String, String> problems(KafkaSettings settings) {
        try {
            return new TopicCheck(settings).problems(settings.routes().fixedTopics());
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KafkaSettings settings() {
        KafkaSettings one =
                ForwardingNode.settings(KAFKA.loginAddress(), GOOD, Logins.withPassword(RealKafka.PASSWORD));
        Map<String, String> routes = Map.of(
                "good.*", GOOD, "small.*", SMALL, "read-only.*", READ_ONLY, "hidden.*", HIDDEN, "missing.*", MISSING);
        return new KafkaSettings(
                new Routes(routes), one.format(), one.source(), one.skipUnrouted(), one.strict(), one.producer());
    }
}
