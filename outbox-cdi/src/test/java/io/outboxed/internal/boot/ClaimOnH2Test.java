package io.outboxed.internal.boot;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.OutboxException;
import io.outboxed.internal.config.OutboxConfigReader;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.sql.DriverManager;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A node on H2 does not start with a claim strategy that needs what H2 lacks. */
class ClaimOnH2Test {
    private static final ConnectionSource DATABASE = () -> DriverManager.getConnection("jdbc:h2:mem:claim");

    @Test
    void locks_of_sessions_are_refused() {
        assertThatThrownBy(() -> start(Map.of("outbox.relay.claim", "advisory-lock")))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith(
                        "OUTBOX-0314 outbox.relay.claim=advisory-lock can't be used with this H2 database:"
                                + " H2 has no locks that belong to a session")
                .hasMessageContaining("Remove the setting, or use MySQL");
    }

    @Test
    void rows_are_refused() {
        assertThatThrownBy(() -> start(Map.of("outbox.relay.claim", "row-lock")))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0314 outbox.relay.claim=row-lock can't be used with this H2 database:"
                        + " H2 has no INSERT that leaves existing rows alone")
                .hasMessageContaining("Remove the setting, or use MySQL");
    }

    @Test
    void shards_are_accepted_and_so_is_any_strategy_of_a_node_without_a_relay() {
        assertThatCode(() -> start(Map.of())).doesNotThrowAnyException();
        assertThatCode(() -> start(Map.of("outbox.relay.claim", "row-lock", "outbox.relay.enabled", "false")))
                .doesNotThrowAnyException();
    }

    private static void start(Map<String, String> settings) {
        var config = OutboxConfigReader.read(new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(settings, "test", 100))
                .build());
        new OutboxDatabase(config, null).store(DATABASE, Dialect.H2, "outbox_").close();
    }
}
