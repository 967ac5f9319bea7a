package io.outboxed.internal.config;

import static io.outboxed.internal.config.GivenSettings.source;
import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is reported of a key that does not exist. */
class UnknownKeysTest {

    @Test
    void a_misspelt_key_is_named_with_the_nearest_known_one() {
        assertThat(OutboxConfigReader.warnings(source(Map.of(
                        "outbox.relay.ack-batchsize", "1",
                        "outbox.retry.\"order.placed\".max-atempts", "1",
                        "outbox.retry.order.placed.max-attempts", "1",
                        "outbox.retry.\"order.placed\".max-attempts", "1",
                        "outbox.dead-letter.order.placed.order", "block",
                        "outbox.datasource.pasword", "hush",
                        "outbox.schema", "off",
                        "other.key", "1"))))
                .containsExactlyInAnyOrder(
                        "outbox.relay.ack-batchsize is not a known key and has no effect; the closest one is"
                                + " outbox.relay.ack-batch-size",
                        "outbox.retry.\"order.placed\".max-atempts is not a known key and has no effect; the closest one is"
                                + " outbox.retry.\"order.placed\".max-attempts",
                        "outbox.retry.order.placed.max-attempts is not a known key and has no effect; the closest one is"
                                + " outbox.retry.\"order.placed\".max-attempts",
                        "outbox.dead-letter.order.placed.order is not a known key and has no effect; the closest one is"
                                + " outbox.dead-letter.\"order.placed\".order",
                        "outbox.datasource.pasword is not a known key and has no effect; the closest one is"
                                + " outbox.datasource.password");
    }

    @Test
    void keys_of_a_jar_that_is_missing_have_no_effect() {
        assertThat(OutboxConfigReader.warnings(source(Map.of("outbox.kafka.acks", "all"))))
                .singleElement()
                .asString()
                .startsWith("outbox.kafka.acks is not a known key and has no effect");
    }

    @Test
    void a_misspelt_variable_of_the_environment_is_named_once_and_as_it_is_written() {
        SmallRyeConfig source = new SmallRyeConfigBuilder()
                .withSources(new EnvConfigSource(
                        Map.of("OUTBOX_RELAY_ACK_BATCHSIZE", "1", "OUTBOX_LEASE", "5s", "OUTBOX_DATASOURCE_URL", "x"),
                        300))
                .build();

        assertThat(OutboxConfigReader.warnings(source))
                .containsExactly("OUTBOX_RELAY_ACK_BATCHSIZE is not a known key and has no effect; the closest one is"
                        + " OUTBOX_RELAY_ACK_BATCH_SIZE");
    }

    @Test
    void a_variable_of_a_policy_is_known_with_and_without_quotes_however_a_file_spells_the_name() {
        Map<String, String> variables = Map.of(
                "OUTBOX_RETRY__MAILER__MAX_ATTEMPTS", "5",
                "OUTBOX_RETRY_MAILER_JITTER", "false");
        for (String name : List.of("outbox.retry.mailer.initial-delay", "outbox.retry.\"mailer\".initial-delay")) {
            SmallRyeConfig source = new SmallRyeConfigBuilder()
                    .withSources(
                            new PropertiesConfigSource(Map.of(name, "2s"), "a file", 100),
                            new EnvConfigSource(variables, 300))
                    .build();

            assertThat(OutboxConfigReader.read(source).retryFor("any", "mailer"))
                    .isEqualTo(new OutboxConfig.Retry(5, Duration.ofSeconds(2), 2, Duration.ofMinutes(10), false));
            assertThat(OutboxConfigReader.warnings(source)).as(name).isEmpty();
        }
    }

    @Test
    void a_misspelt_key_of_a_policy_is_named_with_the_nearest_one_in_its_own_spelling() {
        assertThat(OutboxConfigReader.warnings(source(Map.of(
                        "outbox.retry.mailer.max-atempts", "1",
                        "outbox.retry.\"printer\".max-atempts", "1"))))
                .containsExactlyInAnyOrder(
                        "outbox.retry.mailer.max-atempts is not a known key and has no effect; the closest one is"
                                + " outbox.retry.mailer.max-attempts",
                        "outbox.retry.\"printer\".max-atempts is not a known key and has no effect; the closest one is"
                                + " outbox.retry.\"printer\".max-attempts");
    }
}
