package io.outboxed.internal.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.GivenSettings;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.health.NodeHealth;
import io.outboxed.internal.health.RelayHealth;
import io.outboxed.internal.signal.RegistryVersion;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** It only publishes: the relay is disabled, or waits for a web module that the application does not have. */
class NodeWithoutRelayTest {
    private static final int SECONDS_PER_CHECK = (int) RelayHealth.CHECK_INTERVAL.toSeconds();

    private final JtaPool pool = new JtaPool();
    private OutboxDatabase database;
    private NodeHealth health;
    private long now;

    @AfterEach
    void close() {
        database.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void it_keeps_no_connection_of_the_applications_pool(String enabled) throws SQLException {
        start(Map.of("outbox.relay.enabled", enabled));
        assertThat(pool.inUse()).as("after the start").isZero();

        assertThat(database.registry().version()).as("for the report").isZero();
        assertThat(database.answers()).isTrue();
        assertThat(pool.inUse()).isZero();
    }

    @Test
    void it_notices_by_its_checks_that_the_database_is_down_and_that_it_is_back() {
        RelayReporter reporter = start(Map.of());
        tick(reporter, 10 * SECONDS_PER_CHECK);
        assertThat(health.isStoreUp()).isTrue();

        pool.exhaustedFrom(1);
        tick(reporter, 2 * SECONDS_PER_CHECK - 1);
        assertThat(health.isStoreUp()).as("one check has failed").isTrue();
        tick(reporter, SECONDS_PER_CHECK + 1);
        assertThat(health.isStoreUp()).isFalse();
        assertThat(pool.opened).as("checks").isEqualTo(3);

        pool.exhaustedFrom(Integer.MAX_VALUE);
        tick(reporter, SECONDS_PER_CHECK);
        assertThat(health.isStoreUp()).isTrue();
    }

    private RelayReporter start(Map<String, String> settings) {
        OutboxConfig config = GivenSettings.read(settings);
        health = new NodeHealth(config, () -> now);
        database = new OutboxDatabase(config, pool.unit(), pool::source);
        RelayStarter starter = new RelayStarter();
        starter.config = config;
        starter.database = database;
        starter.invoker = new NoHandlers();
        starter.registry = new RegistryVersion();
        starter.health = health.reports;
        starter.prepare(pool::rolledBack);
        RelayReporter reporter = new RelayReporter();
        reporter.health = health.reports;
        reporter.database = database;
        return reporter;
    }

    private void tick(RelayReporter reporter, int seconds) {
        for (int second = 0; second < seconds; second++) {
            now += Duration.ofSeconds(1).toNanos();
            reporter.check();
        }
    }
}
