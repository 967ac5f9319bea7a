package io.outboxed.kafka;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.servers.broker.RealKafka;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.DescribeConfigsResult;
import org.apache.kafka.clients.admin.ForwardingAdmin;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TopicCheckTest {
    private static final RealKafka KAFKA = RealKafka.shared();

    @AfterEach
    void the_broker_runs() {
        KAFKA.thaw();
    }

    /** Otherwise the topic would be taken for good, whatever its limit is. */
    @Test
    void a_broker_that_no_longer_answers_when_it_is_asked_for_the_limit_has_not_answered() throws Exception {
        KAFKA.createTopic("half-checked", Map.of("max.message.bytes", "17000"));
        TopicCheck check = new TopicCheck(ForwardingNode.settings(KAFKA.address(), "half-checked", Map.of()));
        try (ForwardingAdmin admin = new FreezesBeforeTheLimit()) {
            assertThatThrownBy(() -> check.problems(admin, List.of("half-checked")))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(TimeoutException.class);
        }
        KAFKA.thaw();
        assertThat(check.problems(List.of("half-checked"))).containsOnlyKeys("half-checked");
    }

    @Test
    void a_topic_that_takes_less_than_a_message_and_less_than_a_batch_has_both_problems() throws Exception {
        KAFKA.createTopic("small", Map.of("max.message.bytes", "10000"));
        TopicCheck check = new TopicCheck(ForwardingNode.settings(KAFKA.address(), "small", Map.of()));
        assertThat(check.problems(List.of("small")).get("small").split(TopicProblems.SEPARATOR))
                .satisfiesExactly(
                        message -> assertThat(message).contains("max.request.size", "at most 10000"),
                        batch -> assertThat(batch).contains("batch.size", "at most 10000"));
    }

    @Test
    void what_only_a_plug_in_knows_is_passed_on_to_it() throws Exception {
        KAFKA.createTopic("reported", Map.of());
        TopicCheck check = new TopicCheck(ForwardingNode.settings(
                KAFKA.address(),
                "reported",
                Map.of("metric.reporters", Reporter.class.getName(), "x.reporter.path", "/var/x")));
        assertThat(check.problems(List.of("reported"))).isEmpty();
        assertThat(Reporter.path).isEqualTo("/var/x");
    }

    @Test
    void the_end_of_the_application_does_not_wait_for_ever_for_a_client_whose_thread_hangs() throws Exception {
        CountDownLatch itGoesOn = new CountDownLatch(1);
        CountDownLatch hangs = HangingReporter.hangUntil(itGoesOn);
        TopicCheck check = new TopicCheck(ForwardingNode.settings(
                KAFKA.address(), "hung-check", Map.of("metric.reporters", HangingReporter.class.getName())));
        try {
            CompletableFuture<?> asked = CompletableFuture.supplyAsync(() -> problems(check, "hung-check"));
            hangs.await();
            assertThat(CompletableFuture.runAsync(check::close)).succeedsWithin(ofSeconds(20));
            assertThat(asked).as("it waits for its client itself").isNotDone();
        } finally {
            itGoesOn.countDown();
        }
    }

    private static Object problems(TopicCheck check, String topic) {
        try {
            return check.problems(List.of(topic));
        } catch (ExecutionException | java.util.concurrent.TimeoutException | InterruptedException e) {
            return e;
        }
    }

    public static final class Reporter implements MetricsReporter {
        private static volatile Object path;

        @Override
        public void configure(Map<String, ?> settings) {
            path = settings.get("x.reporter.path");
        }

        @Override
        public void init(List<KafkaMetric> metrics) {}

        @Override
        public void metricChange(KafkaMetric metric) {}

        @Override
        public void metricRemoval(KafkaMetric metric) {}

        @Override
        public void close() {}
    }

    private static final class FreezesBeforeTheLimit extends ForwardingAdmin {
        private FreezesBeforeTheLimit() {
            super(Map.of(
                    "bootstrap.servers", KAFKA.address(),
                    "request.timeout.ms", 1000,
                    "default.api.timeout.ms", 1000));
        }

        @Override
        public DescribeConfigsResult describeConfigs(
                Collection<ConfigResource> resources, DescribeConfigsOptions options) {
            KAFKA.freeze();
            return super.describeConfigs(resources, options);
        }
    }
}
