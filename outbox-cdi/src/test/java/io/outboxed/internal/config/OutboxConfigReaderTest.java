package io.outboxed.internal.config;

import static io.outboxed.internal.config.GivenSettings.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig.Retry;
import io.outboxed.internal.config.OutboxConfig.SchemaMode;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each key is read, and has a default. */
class OutboxConfigReaderTest {

    @Test
    void everything_has_a_default() {
        assertThat(read(Map.of())).isEqualTo(OutboxConfig.DEFAULTS);
    }

    /** The data source reads these itself. The claim excludes a list of shards. */
    private static final Set<String> SHOWN_ELSEWHERE = Set.of(
            "outbox.relay.claim",
            "outbox.datasource.url",
            "outbox.datasource.user",
            "outbox.datasource.password",
            "outbox.datasource.lookup");

    @Test
    void every_key_is_read() {
        Map<String, String> given = Map.ofEntries(
                Map.entry("outbox.datasource.dialect", "MariaDB"),
                Map.entry("outbox.datasource.independent-units", "reports, archive"),
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
                Map.entry("outbox.handler.batch-size", "64"),
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
                Map.entry("outbox.cleanup.interval", "2h"),
                Map.entry("outbox.cleanup.batch-size", "500"),
                Map.entry("outbox.payload.format", "binary"),
                Map.entry("outbox.payload.max-bytes", "2048"),
                Map.entry("outbox.payload.validate", "false"),
                Map.entry("outbox.order", "none"),
                Map.entry("outbox.health.startup", "true"),
                Map.entry("outbox.health.readiness", "false"),
                Map.entry("outbox.health.liveness", "false"),
                Map.entry("outbox.tracing", "none"),
                Map.entry("outbox.tracing.parent", "message"),
                Map.entry("outbox.metrics", "micrometer"),
                Map.entry("outbox.metrics.backlog-interval", "1m"),
                Map.entry("outbox.admin.enabled", "true"),
                Map.entry("outbox.admin.edit", "true"),
                Map.entry("outbox.admin.role.viewer", "reader"),
                Map.entry("outbox.admin.role.operator", "crew"),
                Map.entry("outbox.admin.role.editor", "privacy"),
                Map.entry("outbox.admin.role.admin", "chief"),
                Map.entry("outbox.admin.challenge", "Bearer"));

        OutboxConfig config = read(given);

        Set<String> names = new HashSet<>(given.keySet());
        names.addAll(SHOWN_ELSEWHERE);
        assertThat(names)
                .containsExactlyInAnyOrderElementsOf(
                        ConfigKeys.ALL.stream().map(ConfigKey::name).toList());
        Retry retry = new Retry(4, Duration.ofSeconds(3), 1.5, Duration.ofDays(1), false);
        assertThat(config)
                .isEqualTo(new OutboxConfig(
                        new OutboxConfig.Database(
                                SchemaMode.VERIFY,
                                "app.shop_",
                                Optional.of(Dialect.MARIADB),
                                Set.of("archive", "reports")),
                        new OutboxConfig.Relay(
                                false,
                                3,
                                10,
                                100,
                                new OutboxConfig.Poll(Duration.ofMillis(20), Duration.ofSeconds(2)),
                                Duration.ofMinutes(3),
                                Duration.ofMinutes(1),
                                Duration.ZERO,
                                "blue-1",
                                Set.of(0, 1, 2, 63),
                                ClaimStrategy.SHARDS),
                        new OutboxConfig.Handler(Duration.ofHours(1), 5, Duration.ofSeconds(7), 64),
                        new OutboxConfig.Retries(retry, Map.of()),
                        new OutboxConfig.Payload(true, 2048, false),
                        OutboxConfig.Order.NONE,
                        new OutboxConfig.DeadLetters(true, Map.of()),
                        new OutboxConfig.Retention(
                                true,
                                Duration.ofDays(2),
                                Optional.of(Duration.ofDays(7)),
                                Optional.of(Duration.ofDays(90)),
                                Duration.ofDays(400),
                                Duration.ofHours(2),
                                500,
                                new OutboxConfig.Partitions(
                                        OutboxConfig.PartitionBy.DAY, Duration.ofDays(14), Duration.ofMinutes(30))),
                        new OutboxConfig.Observe(
                                new OutboxConfig.Health(true, false, false),
                                new OutboxConfig.Tracing(false, true),
                                new OutboxConfig.Metrics(OutboxConfig.MetricsApi.MICROMETER, Duration.ofMinutes(1))),
                        new OutboxConfig.Admin(
                                true, true, new OutboxConfig.Roles("reader", "crew", "privacy", "chief"), "Bearer")));
    }

    /** One after the other: each of them can be taken for another one otherwise. */
    @Test
    void each_probe_can_be_left_out() {
        assertThat(health("startup")).isEqualTo(new OutboxConfig.Health(false, true, true));
        assertThat(health("readiness")).isEqualTo(new OutboxConfig.Health(true, false, true));
        assertThat(health("liveness")).isEqualTo(new OutboxConfig.Health(true, true, false));
    }

    private static OutboxConfig.Health health(String leftOut) {
        return read(Map.of("outbox.health." + leftOut, "false")).observe().health();
    }

    @Test
    void tracing_is_switched_off_and_its_spans_become_children() {
        assertThat(read(Map.of("outbox.tracing", "none")).observe().tracing())
                .isEqualTo(new OutboxConfig.Tracing(false, false));
        assertThat(read(Map.of("outbox.tracing.parent", "message")).observe().tracing())
                .isEqualTo(new OutboxConfig.Tracing(true, true));
    }

    @Test
    void a_node_without_a_label_is_named_after_its_host() {
        assertThat(read(Map.of()).relay().label()).isNotBlank();
        assertThat(read(Map.of("outbox.node-label", "till 3")).relay().label()).isEqualTo("till 3");
    }

    @Test
    void a_way_to_claim_aggregates_is_chosen() {
        assertThat(read(Map.of()).relay().claim()).isEqualTo(ClaimStrategy.SHARDS);
        assertThat(read(Map.of("outbox.relay.claim", "Advisory-Lock")).relay().claim())
                .isEqualTo(ClaimStrategy.ADVISORY_LOCK);
    }

    @Test
    void where_the_metrics_go_is_read_in_any_case() {
        assertThat(read(Map.of("outbox.metrics", "MP-Metrics", "outbox.metrics.backlog-interval", "1m"))
                        .observe()
                        .metrics())
                .isEqualTo(new OutboxConfig.Metrics(OutboxConfig.MetricsApi.MP_METRICS, Duration.ofMinutes(1)));
    }

    @Test
    void an_inbox_that_forgets_before_the_last_retry_is_a_risk_and_no_error() {
        assertThat(OutboxConfigReader.risks(OutboxConfig.DEFAULTS)).isEmpty();
        assertThat(OutboxConfigReader.risks(read(
                        Map.of("outbox.inbox.retention", "11m", "outbox.retry.\"order.placed\".max-delay", "11m"))))
                .containsExactly(
                        "outbox.inbox.retention (11m) is not longer than outbox.retry.\"order.placed\".max-delay"
                                + " (11m): a retry may run an effect of Inbox or @Idempotent once more");
        assertThat(OutboxConfigReader.risks(read(Map.of("outbox.inbox.retention", "9m"))))
                .containsExactly(
                        "outbox.inbox.retention (9m) is not longer than outbox.retry.max-delay (10m): a retry may"
                                + " run an effect of Inbox or @Idempotent once more");
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
                                        "OUTBOX_RETRY__ORDER_PLACED__MAX_ATTEMPTS", "9",
                                        "OUTBOX_RETRY__ORDER_PLACED__INITIAL_DELAY", "7s"),
                                300))
                .build();

        OutboxConfig config = OutboxConfigReader.read(source);

        assertThat(config.relay().workers()).isEqualTo(4);
        assertThat(config.relay().ackBatch()).isEqualTo(11);
        assertThat(config.retryFor("order.placed", "x").maxAttempts()).isEqualTo(9);
        assertThat(config.retryFor("order.placed", "x").initialDelay())
                .as("only the variable has it")
                .isEqualTo(Duration.ofSeconds(7));
        assertThat(OutboxConfigReader.warnings(source)).isEmpty();
    }
}
