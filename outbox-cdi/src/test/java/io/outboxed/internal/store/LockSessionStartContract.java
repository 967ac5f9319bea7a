package io.outboxed.internal.store;

import static io.outboxed.internal.store.LockingNodes.locks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.jdbc.locks.ClaimLocks;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What keeps a lock session from beginning, and that no connection is left then. */
interface LockSessionStartContract extends LockingNodes {

    @Test
    default void a_node_that_has_stopped_begins_no_session_however_late_its_heartbeat_is() {
        ClaimLocks session = new ClaimLocks(jdbc().source(), jdbc().dialect(), jdbc().prefix(), LEASE);
        session.open(ONE);
        session.close();

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> session.open(OTHER))
                .withMessageContaining("its node has stopped");
        assertThat(session.owner()).isNull();
        assertThat(locks(open(ONE)).isOpen(ONE)).isTrue();
    }

    @Test
    default void a_connection_is_closed_when_an_error_keeps_it_from_becoming_a_session() throws SQLException {
        List<Connection> opened = new ArrayList<>();
        ConnectionSource source = new MemoryShortage(jdbc().source(), opened::add);
        try (ClaimLocks session = new ClaimLocks(source, jdbc().dialect(), jdbc().prefix(), LEASE)) {
            assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> session.open(ONE));
        }
        assertThat(opened).hasSize(1);
        assertThat(opened.get(0).isClosed()).isTrue();
    }

    @Test
    default void a_connection_whose_driver_fails_at_the_lock_of_its_node_is_closed() throws SQLException {
        List<Connection> opened = new ArrayList<>();
        FailingDriver source = new FailingDriver(
                () -> {
                    opened.add(jdbc().source().open());
                    return opened.get(0);
                },
                takingLocks());
        source.failAt(1);
        try (ClaimLocks locks = new ClaimLocks(source, jdbc().dialect(), jdbc().prefix(), LEASE)) {
            assertThatIllegalStateException().isThrownBy(() -> locks.open(ONE));

            assertThat(opened).hasSize(1);
            assertThat(opened.get(0).isClosed()).isTrue();
        }
    }
}
