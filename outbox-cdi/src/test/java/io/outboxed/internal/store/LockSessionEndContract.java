package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.relay.Await;
import io.outboxed.internal.store.jdbc.locks.ClaimLocks;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What ends the session of a node that claims lanes by locks, although its connection is in order. */
interface LockSessionEndContract extends JdbcContract {

    @Test
    default void a_session_whose_driver_fails_amid_a_claim_ends_and_keeps_no_lane_from_the_others() {
        String lock = jdbc().dialect().isMySqlFamily() ? "GET_LOCK" : "pg_try_advisory_lock";
        FailingDriver source = new FailingDriver(jdbc().source(), lock);
        List<Long> lanes = LongStream.range(0, 100).boxed().toList();
        try (ClaimLocks session = session(source);
                ClaimLocks other = session(jdbc().source())) {
            session.open(LaneLocksContract.ONE);
            source.failAt(2);
            assertThatIllegalStateException().isThrownBy(() -> session.tryLock(lanes));

            assertThat(session.owner()).isNull();
            other.open(LaneLocksContract.OTHER);
            Await.until(
                    "all lanes are free",
                    Duration.ofSeconds(20),
                    () -> other.tryLock(lanes).size() == lanes.size(),
                    () -> "");
        }
    }

    /** @param next a session that has not begun */
    static void endsOnReadOnlyServer(ClaimLocks session, ClaimLocks next) {
        assertThat(session.isOpen(LaneLocksContract.ONE)).isFalse();
        assertThat(session.owner()).isNull();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> next.open(LaneLocksContract.OTHER))
                .matches(SqlFailure::isConnectionLost)
                .withMessageContaining("read-only");
    }

    private ClaimLocks session(ConnectionSource source) {
        return new ClaimLocks(source, jdbc().dialect(), jdbc().prefix(), LaneLocksContract.LEASE);
    }
}
