package io.outboxed.internal.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.NetworkPath;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.LaneLocks;
import io.outboxed.internal.store.cluster.Nodes;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import io.outboxed.servers.database.RealPostgres;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A heartbeat, and a network path that falls silent. */
class HeartbeatConnectionsTest {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration FOR_EVER = Duration.ofSeconds(60);

    @AutoClose
    private static final RealPostgres SERVER = RealPostgres.start();

    private final NetworkPath path = new NetworkPath(SERVER.url());
    private final ConnectionSource source = DirectConnections.open();

    HeartbeatConnectionsTest() throws IOException {
        Map.of("url", path.url() + "&sslmode=disable", "user", SERVER.user(), "password", SERVER.password())
                .forEach((key, value) -> System.setProperty("outbox.datasource." + key, value));
        new Schema(source, Dialect.POSTGRESQL, "outbox_").create();
    }

    @AfterEach
    void forget() throws IOException {
        List.of("url", "user", "password").forEach(key -> System.clearProperty("outbox.datasource." + key));
        path.close();
    }

    @Test
    void a_heartbeat_whose_new_connection_meets_a_silent_server_leaves_time_for_another_one() throws IOException {
        try (JdbcRelayStore opened =
                new JdbcRelayStore(source, Dialect.POSTGRESQL, "outbox_", false, dropped -> {}, LEASE)) {
            Nodes nodes = opened.store().nodes();
            nodes.join("one", "one", 1);
            assertThat(nodes.beat("one")).isTrue();

            path.breakAndBeSilentOnce();
            fails(() -> nodes.beat("one"));
            long before = System.nanoTime();
            fails(() -> nodes.beat("one"));

            assertThat(Duration.ofNanos(System.nanoTime() - before))
                    .isBetween(Duration.ofSeconds(1), LEASE.dividedBy(2));
            assertThat(nodes.beat("one")).isTrue();
        }
    }

    /** Another thread waits for the answer, so the heartbeat can't ask. The server ends the session after a lease. */
    @Test
    void a_heartbeat_learns_within_the_lease_that_the_path_of_a_lock_session_in_use_is_silent() throws Exception {
        String owner = ClaimStrategy.ADVISORY_LOCK.nodePrefix() + "one";
        try (JdbcRelayStore opened =
                JdbcRelayStore.withLaneLocks(source, Dialect.POSTGRESQL, "outbox_", false, dropped -> {}, LEASE)) {
            LaneLocks locks = opened.store().locks().orElseThrow();
            locks.open(owner);
            path.swallow();

            CompletableFuture<?> inUse = CompletableFuture.supplyAsync(() -> locks.tryLock(List.of(1L)));
            path.awaitSwallowed();
            assertThat(locks.isOpen(owner)).as("so far").isTrue();

            assertThat(inUse).failsWithin(LEASE);
            assertThat(locks.isOpen(owner)).isFalse();
        }
    }

    private static void fails(Executable call) {
        assertTimeoutPreemptively(
                FOR_EVER, () -> assertThatExceptionOfType(StoreException.class).isThrownBy(call::execute));
    }
}
