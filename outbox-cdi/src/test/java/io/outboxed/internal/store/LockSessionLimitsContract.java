package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.StatementLimits;
import io.outboxed.internal.store.jdbc.locks.ClaimLocks;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long statements of a lock session wait for an answer that the network has lost. */
interface LockSessionLimitsContract extends LockingNodes {

    @Test
    default void a_heartbeat_waits_for_the_session_no_longer_than_a_third_of_the_lease() {
        StatementLimits source = new StatementLimits(jdbc().source());
        try (ClaimLocks session = new ClaimLocks(source, jdbc().dialect(), jdbc().prefix(), Duration.ofSeconds(6))) {
            session.open(ONE);
            int before = source.statements().size();
            assertThat(session.isOpen(ONE)).isTrue();
            session.tryLock(List.of(1L));

            List<Integer> limits = source.statements().stream()
                    .skip(before)
                    .map(StatementLimits.Statement::limitMillis)
                    .toList();
            assertThat(limits).startsWith(2_000).endsWith(6_000);
        }
    }

    /** While another thread waits for an answer, a heartbeat can't ask, and the server ends the session after a lease. */
    @Test
    default void a_statement_on_a_lost_path_ends_after_a_lock_wait_and_before_the_session_of_the_server_does() {
        assertThat(limitOfOtherStatements(Duration.ofSeconds(10))).isEqualTo(6_000);
        assertThat(limitOfOtherStatements(Duration.ofSeconds(30))).isEqualTo(10_000);
        assertThat(limitOfOtherStatements(Duration.ofMinutes(5))).isEqualTo(20_000);
    }

    private int limitOfOtherStatements(Duration lease) {
        StatementLimits source = new StatementLimits(jdbc().source());
        try (ClaimLocks session = new ClaimLocks(source, jdbc().dialect(), jdbc().prefix(), lease)) {
            session.open(ONE);
            session.tryLock(List.of(1L));
            session.peers();
            return source.statements().stream()
                    .mapToInt(StatementLimits.Statement::limitMillis)
                    .reduce((one, other) -> {
                        assertThat(other).isEqualTo(one);
                        return one;
                    })
                    .orElseThrow();
        }
    }
}
