package io.outboxed.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.OutboxException;
import io.outboxed.internal.config.OutboxConfig.Retry;
import io.outboxed.internal.config.OutboxConfig.SchemaMode;
import io.outboxed.internal.database.SqlText;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OutboxConfigReaderTest {

    @Test
    void a_node_without_a_label_is_named_after_its_host() {
        assertThat(read(Map.of()).relay().label()).isNotBlank();
        assertThat(read(Map.of("outbox.node-label", "till 3")).relay().label()).isEqualTo("till 3");
    }

    @Test
    void everything_has_a_default() {
        assertThat(read(Map.of())).isEqualTo(OutboxConfig.DEFAULTS);
    }

    @Test
    void every_key_is_read() {
        OutboxConfig config = read(Map.ofEntries(
                Map.entry("outbox.schema", "verify"),
                Map.entry("outbox.table-prefix", "app.shop_"),
                Map.entry("outbox.node-label", "blue-1"),
                Map.entry("outbox.relay.enabled", "false"),
                Map.entry("outbox.relay.shards", "0-2, 63"),
                Map.entry("outbox.relay.workers", "3"),
                Map.entry("outbox.relay.ack-batch-size", "10"),
                Map.entry("outbox.relay.max-in-memory", "100"),
                Map.entry("outbox.relay.poll-min", "20ms"),
                Map.entry("outbox.relay.poll-max", "PT2S"),
                Map.entry("outbox.relay.commit-lag", "3m"),
                Map.entry("outbox.relay.drain", "0s"),
                Map.entry("outbox.lease", "1m"),
                Map.entry("outbox.handler.timeout", "1h"),
                Map.entry("outbox.handler.down-after", "5"),
                Map.entry("outbox.handler.defer-delay", " 7s "),
                Map.entry("outbox.retry.max-attempts", "4"),
                Map.entry("outbox.retry.initial-delay", "3s"),
                Map.entry("outbox.retry.multiplier", "1.5"),
                Map.entry("outbox.retry.max-delay", "1d"),
                Map.entry("outbox.retry.jitter", "FALSE"),
                Map.entry("outbox.dead-letter.order", "block"),
                Map.entry("outbox.on-success", "keep"),
                Map.entry("outbox.inbox.retention", "2d"),
                Map.entry("outbox.history.retention", "7d"),
                Map.entry("outbox.history.partition", "day"),
                Map.entry("outbox.history.partition.look-ahead", "14d"),
                Map.entry("outbox.history.partition.interval", "30m"),
                Map.entry("outbox.dead-letter.retention", "90d"),
                Map.entry("outbox.audit.retention", "400d"),
                Map.entry("outbox.cleanup.batch-size", "500"),
                Map.entry("outbox.payload.format", "binary"),
                Map.entry("outbox.payload.max-bytes", "2048"),
                Map.entry("outbox.payload.validate", "false"),
                Map.entry("outbox.admin.enabled", "true"),
                Map.entry("outbox.admin.edit", "true"),
                Map.entry("outbox.admin.role.viewer", "reader"),
                Map.entry("outbox.admin.role.operator", "crew"),
                Map.entry("outbox.admin.role.editor", "privacy"),
                Map.entry("outbox.admin.role.admin", "chief"),
                Map.entry("outbox.admin.challenge", "Bearer")));

        Retry retry = new Retry(4, Duration.ofSeconds(3), 1.5, Duration.ofDays(1), false);
        assertThat(config)
                .isEqualTo(new OutboxConfig(
                        new OutboxConfig.Database(SchemaMode.VERIFY, "app.shop_"),
                        new OutboxConfig.Relay(
                                false,
                                3,
                                10,
                                100,
                                Duration.ofMillis(20),
                                Duration.ofSeconds(2),
                                Duration.ofMinutes(3),
                                Duration.ofMinutes(1),
                                Duration.ZERO,
                                "blue-1",
                                Set.of(0, 1, 2, 63)),
                        new OutboxConfig.Handler(Duration.ofHours(1), 5, Duration.ofSeconds(7)),
                        retry,
                        Map.of(),
                        new OutboxConfig.Payload(true, 2048, false),
                        new OutboxConfig.DeadLetters(true, Map.of()),
                        new OutboxConfig.Retention(
                                true,
                                Duration.ofDays(2),
                                Optional.of(Duration.ofDays(7)),
                                Optional.of(Duration.ofDays(90)),
                                Duration.ofDays(400),
                                500,
                                new OutboxConfig.Partitions(
                                        OutboxConfig.PartitionBy.DAY, Duration.ofDays(14), Duration.ofMinutes(30))),
                        OutboxConfig.Observe.DEFAULTS,
                        new OutboxConfig.Admin(
                                true, true, new OutboxConfig.Roles("reader", "crew", "privacy", "chief"), "Bearer")));
    }

    @Test
    void the_look_ahead_is_at_most_a_thousand_partitions() {
        String key = "outbox.history.partition.look-ahead";
        assertThatThrownBy(() -> read(Map.of("outbox.history.partition", "hour", key, "42d")))
                .isInstanceOf(OutboxException.class)
                .hasMessageContaining(
                        key + ": expected at most 1000 periods of outbox.history.partition (1000h), got 42d");

        assertThat(read(Map.of("outbox.history.partition", "hour", key, "1000h"))
                        .retention()
                        .partitions()
                        .lookAhead())
                .isEqualTo(Duration.ofHours(1000));
        assertThat(read(Map.of("outbox.history.partition", "day", key, "365d"))
                        .retention()
                        .partitions()
                        .lookAhead())
                .isEqualTo(Duration.ofDays(365));
    }

    @Test
    void where_the_metrics_go_is_read_in_any_case() {
        assertThat(read(Map.of("outbox.metrics", "MP-Metrics", "outbox.metrics.backlog-interval", "1m"))
                        .observe()
                        .metrics())
                .isEqualTo(new OutboxConfig.Metrics(OutboxConfig.MetricsApi.MP_METRICS, Duration.ofMinutes(1)));
    }

    @Test
    void a_policy_of_a_type_or_handler_inherits_the_rest_from_the_general_one() {
        OutboxConfig config = read(Map.of(
                "outbox.retry.max-attempts", "4",
                "outbox.retry.\"order.placed\".max-attempts", "7",
                "outbox.retry.\"order.placed\".jitter", "false",
                "outbox.retry.mailer.initial-delay", "5s",
                "outbox.retry.\"Warehouse.ship\".multiplier", "3"));

        assertThat(config.retryOverrides().keySet())
                .containsExactlyInAnyOrder("order.placed", "mailer", "Warehouse.ship");
        assertThat(config.retryFor("order.placed", "any"))
                .isEqualTo(new Retry(7, Duration.ofSeconds(1), 2, Duration.ofMinutes(10), false));
        assertThat(config.retryFor("order.placed", "mailer"))
                .isEqualTo(new Retry(4, Duration.ofSeconds(5), 2, Duration.ofMinutes(10), true));
        assertThat(config.retryFor("other", "Warehouse.ship").multiplier()).isEqualTo(3);
        assertThat(config.retryFor("other", "other").maxAttempts()).isEqualTo(4);
    }

    @Test
    void whether_dead_letters_block_can_differ_for_a_type_and_for_a_handler() {
        OutboxConfig config = read(Map.of(
                "outbox.dead-letter.\"order.placed\".order", "block",
                "outbox.dead-letter.mailer.order", "skip"));

        assertThat(config.deadLetters())
                .isEqualTo(new OutboxConfig.DeadLetters(false, Map.of("order.placed", true, "mailer", false)));
        assertThat(config.blocksOnDeadLetter("order.placed", "any")).isTrue();
        assertThat(config.blocksOnDeadLetter("order.placed", "mailer")).isFalse();
        assertThat(config.blocksOnDeadLetter("other", "any")).isFalse();
        assertThat(config.retryOverrides()).isEmpty();
        assertThatThrownBy(() -> read(Map.of("outbox.dead-letter.mailer.order", "stop")))
                .hasMessageContaining("outbox.dead-letter.mailer.order: expected skip|block, got stop");
    }

    @Test
    void a_policy_for_a_name_that_does_not_exist_is_reported_with_the_closest_one() {
        OutboxConfig config = read(Map.of(
                "outbox.retry.\"order.plased\".max-attempts", "7",
                "outbox.retry.mailer.max-attempts", "7",
                "outbox.dead-letter.\"Mailer.mial\".order", "block"));

        assertThat(UnmatchedNames.in(config, List.of("order.placed", "mailer", "Mailer.mail")))
                .containsExactly(
                        "outbox.retry.\"order.plased\" applies to nothing: this deployment handles no event type and"
                                + " has no handler of that name; the closest one is order.placed",
                        "outbox.dead-letter.\"Mailer.mial\" applies to nothing: this deployment handles no event type"
                                + " and has no handler of that name; the closest one is Mailer.mail");
        assertThat(UnmatchedNames.in(config, List.of()))
                .hasSize(3)
                .allMatch(sentence -> sentence.endsWith("has no handler of that name"));
    }

    @Test
    void all_problems_are_reported_at_once_with_value_source_and_what_is_allowed() {
        assertThatThrownBy(() -> read(Map.of(
                        "outbox.relay.ack-batch-size", "0",
                        "outbox.relay.workers", "many",
                        "outbox.schema", "drop",
                        "outbox.relay.enabled", "yes",
                        "outbox.lease", "500ms",
                        "outbox.handler.timeout", "10 minutes",
                        "outbox.table-prefix", "My-Tables",
                        "outbox.retry.multiplier", "NaN",
                        "outbox.retry.mailer.max-attempts", "0")))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0200 9 settings are wrong, nothing was deployed:")
                .hasMessageContaining(
                        "outbox.relay.ack-batch-size: expected 1..10000, got 0 (from PropertiesConfigSource[source=a file])")
                .hasMessageContaining("outbox.relay.workers: expected 1..48, got many")
                .hasMessageContaining("outbox.schema: expected create|verify|off, got drop")
                .hasMessageContaining("outbox.relay.enabled: expected true|false, got yes")
                .hasMessageContaining("outbox.lease: expected 1s..10m, got 500ms")
                .hasMessageContaining("outbox.handler.timeout: expected 0 or 100ms..1d, got 10 minutes")
                .hasMessageContaining("outbox.table-prefix: expected " + SqlText.PREFIX_IN_WORDS + ", got My-Tables")
                .hasMessageContaining("outbox.retry.multiplier: expected 1..100, got NaN")
                .hasMessageContaining("outbox.retry.mailer.max-attempts: expected 1..1000, got 0");
    }

    @Test
    void a_timeout_of_zero_means_none() {
        for (String zero : List.of("0", "0s", "PT0S")) {
            assertThat(read(Map.of("outbox.handler.timeout", zero)).handler().timeout())
                    .isZero();
        }
        assertThatThrownBy(() -> read(Map.of("outbox.handler.timeout", "99ms")))
                .hasMessageContaining("outbox.handler.timeout: expected 0 or 100ms..1d, got 99ms");
    }

    @Test
    void settings_that_contradict_each_other_are_refused() {
        assertThatThrownBy(() -> read(Map.of(
                        "outbox.relay.poll-min", "2s",
                        "outbox.relay.max-in-memory", "4",
                        "outbox.retry.initial-delay", "1h",
                        "outbox.retry.\"order.placed\".initial-delay", "5m",
                        "outbox.retry.\"order.placed\".max-delay", "1m")))
                .hasMessageStartingWith("OUTBOX-0200 4 settings are wrong")
                .hasMessageContaining("outbox.relay.poll-min: expected at most outbox.relay.poll-max (1s), got 2s")
                .hasMessageContaining("outbox.relay.workers: expected at most outbox.relay.max-in-memory (4), got 8")
                .hasMessageContaining(
                        "outbox.retry.initial-delay: expected at most outbox.retry.max-delay (10m), got 1h")
                .hasMessageContaining("outbox.retry.\"order.placed\".initial-delay: expected at most"
                        + " outbox.retry.\"order.placed\".max-delay (1m), got 5m");
    }

    @Test
    void a_value_that_refers_to_nothing_is_a_problem_like_others() {
        assertThatThrownBy(() -> read(Map.of("outbox.relay.workers", "${no.such.key}")))
                .hasMessageStartingWith("OUTBOX-0200 1 setting is wrong")
                .hasMessageContaining("outbox.relay.workers: can't be read");
    }

    @Test
    void variables_of_the_environment_override_a_file() {
        SmallRyeConfig source = new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withSources(
                        new PropertiesConfigSource(
                                Map.of(
                                        "outbox.relay.workers", "3",
                                        "outbox.retry.\"order.placed\".max-attempts", "3"),
                                "a file",
                                100),
                        new EnvConfigSource(
                                Map.of(
                                        "OUTBOX_RELAY_WORKERS", "4",
                                        "OUTBOX_RELAY_ACK_BATCH_SIZE", "11",
                                        "OUTBOX_RETRY__ORDER_PLACED__MAX_ATTEMPTS", "9"),
                                300))
                .build();

        OutboxConfig config = OutboxConfigReader.read(source);

        assertThat(config.relay().workers()).isEqualTo(4);
        assertThat(config.relay().ackBatchSize()).isEqualTo(11);
        assertThat(config.retryFor("order.placed", "x").maxAttempts()).isEqualTo(9);
        assertThat(OutboxConfigReader.warnings(source)).isEmpty();
    }

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

    private static OutboxConfig read(Map<String, String> values) {
        return OutboxConfigReader.read(source(values));
    }

    private static SmallRyeConfig source(Map<String, String> values) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withSources(new PropertiesConfigSource(values, "a file", 100))
                .build();
    }
}
