package io.outboxed.internal.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.StatementLimits;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.Lease;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MembershipConnectionsTest {
    private static final Duration LEASE = Duration.ofSeconds(6);

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final StatementLimits source = new StatementLimits(() -> DriverManager.getConnection(url));

    /** One that waits for a lost network path for as long as the lease costs the node all its shards. */
    @Test
    void a_heartbeat_and_what_its_thread_does_next_give_up_a_lost_path_in_a_third_of_the_lease() {
        new Schema(source, Dialect.H2, "outbox_").create();
        try (JdbcRelayStore opened = new JdbcRelayStore(source, Dialect.H2, "outbox_", false, dropped -> {}, LEASE)) {
            RelayStore store = opened.store();
            int before = source.statements().size();

            store.nodes().join("one", "one", 1);
            store.nodes().beat("one");
            store.nodes().live();
            Lease free = store.shards().all().get(0);
            long epoch = store.shards().take(free, "one").orElseThrow();
            store.nodes().join("other", "other", 1);
            store.shards().handOver(new Lease(free.shard(), "one", epoch), "other");
            store.shards().release(List.of(new Lease(free.shard(), "other", epoch + 1)));
            store.nodes().live().forEach(store.nodes()::declareDead);
            store.nodes().leave("one");

            assertThat(source.statements().subList(before, source.statements().size()))
                    .hasSizeGreaterThan(6)
                    .allMatch(statement -> statement.limitMillis() == 2_000);
        }
    }
}
