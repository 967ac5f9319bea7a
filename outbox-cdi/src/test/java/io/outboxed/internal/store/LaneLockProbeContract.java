package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.StatementLimits;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.jdbc.locks.LaneLockProbe;
import org.junit.jupiter.api.Test;

/** What the test of a database at the start of a node with locks accepts and refuses. */
interface LaneLockProbeContract extends LockingNodes {

    @Test
    default void the_probe_accepts_this_database_and_refuses_a_pooler_that_shares_sessions() throws Exception {
        new LaneLockProbe(jdbc().source(), jdbc().dialect(), jdbc().prefix(), LEASE).check();
        try (SharedSessions pooler = new SharedSessions(jdbc().source())) {
            assertThatExceptionOfType(OutboxException.class)
                    .isThrownBy(() -> new LaneLockProbe(pooler, jdbc().dialect(), jdbc().prefix(), LEASE).check())
                    .withMessageContaining("OUTBOX-0314");
        }
    }

    @Test
    default void a_session_of_the_probe_that_is_lost_says_nothing_about_the_database() {
        ConnectionSource lost = new LostHolder(jdbc().source(), jdbc().dialect());

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> new LaneLockProbe(lost, jdbc().dialect(), jdbc().prefix(), LEASE).check())
                .matches(StoreException::isTransient);
    }

    @Test
    default void each_statement_of_the_probe_has_a_limit_for_the_network() {
        StatementLimits source = new StatementLimits(jdbc().source());

        new LaneLockProbe(source, jdbc().dialect(), jdbc().prefix(), LEASE).check();

        assertThat(source.statements()).hasSizeGreaterThan(5).allMatch(statement -> statement.limitMillis() > 0);
    }
}
