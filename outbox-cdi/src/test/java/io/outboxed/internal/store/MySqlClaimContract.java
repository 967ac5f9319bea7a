package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.internal.database.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What claims by row lock and by GET_LOCK rely on, on MySQL. */
interface MySqlClaimContract extends RowLockClaimContract {
    /** Above this MySQL refuses the name. */
    int LONGEST_NAME = 64;

    /** The rows are read as they are now, but the subquery reads the snapshot of the transaction. */
    @Test
    default void at_the_default_isolation_a_gate_does_not_see_the_row_that_another_worker_has_locked()
            throws Exception {
        try (PublishedTable table = new PublishedTable(jdbc())) {
            Jdbc first = table.worker();
            Jdbc second = table.worker(Connection.TRANSACTION_REPEATABLE_READ);
            assertThat(PublishedTable.ids(second, "SELECT id FROM outbox"))
                    .as("its snapshot")
                    .isEmpty();
            table.add(1, "order-1");
            table.add(2, "order-1");
            assertThat(PublishedTable.ids(first, GATE_OF_ALL_ROWS)).containsExactly(1L);

            assertThat(PublishedTable.ids(second, GATE_OF_ALL_ROWS))
                    .as("wrong: row 1 is being handled")
                    .containsExactly(2L);
        }
    }

    @Test
    default void rows_that_are_locked_first_and_checked_by_a_second_statement_are_first_of_their_entity()
            throws Exception {
        try (PublishedTable table = new PublishedTable(jdbc())) {
            Jdbc first = table.worker();
            Jdbc second = table.worker();
            assertThat(PublishedTable.ids(second, "SELECT id FROM outbox")).isEmpty();
            table.add(1, "order-1");
            table.add(2, "order-1");
            assertThat(PublishedTable.ids(first, GATE_OF_ALL_ROWS)).containsExactly(1L);

            List<Long> locked = PublishedTable.ids(second, WITHOUT_GATE);
            assertThat(locked).containsExactly(2L);
            assertThat(PublishedTable.ids(
                            second,
                            "SELECT o.id FROM outbox o WHERE o.id = ? AND NOT EXISTS (SELECT 1 FROM outbox e"
                                    + " WHERE e.entity_key = o.entity_key AND e.id < o.id)",
                            locked.get(0)))
                    .as("not the first of its entity: its lock is given back")
                    .isEmpty();
        }
    }

    @Test
    default void a_named_lock_holds_through_commits_until_it_is_released_or_its_session_ends() throws Exception {
        try (PublishedTable table = new PublishedTable(jdbc())) {
            Jdbc first = table.worker();
            Jdbc second = table.worker();
            assertThat(lock(first, "outboxed")).isTrue();
            first.connection().commit();
            first.connection().rollback();
            assertThat(lock(second, "outboxed")).as("after commit and rollback").isFalse();

            PublishedTable.isTrue(first, "RELEASE_LOCK(?)", "outboxed");
            assertThat(lock(second, "outboxed")).isTrue();
            second.connection().close();
            awaitLock(first, "outboxed");
        }
    }

    /** The server notices the end of a session a moment later. */
    private static void awaitLock(Jdbc worker, String name) throws SQLException {
        assertThat(PublishedTable.isTrue(worker, "GET_LOCK(?, 20)", name)).isTrue();
    }

    @Test
    default void a_session_that_is_lost_frees_its_named_locks_and_only_a_write_in_it_fails() throws Exception {
        try (PublishedTable table = new PublishedTable(jdbc())) {
            table.add(1, "order-1");
            Jdbc session = table.worker();
            Jdbc itsPool = table.worker();
            Jdbc other = table.worker();
            assertThat(lock(session, "outboxed")).isTrue();
            long id = session.first("SELECT CONNECTION_ID() AS id", row -> row.getLong("id"))
                    .orElseThrow();

            jdbc().run("KILL " + id);
            awaitLock(other, "outboxed");
            assertThat(itsPool.update(PublishedTable.DECISION))
                    .as("wrong: it decides without the lock")
                    .isEqualTo(1);
            itsPool.connection().rollback();
            assertThatExceptionOfType(SQLException.class).isThrownBy(() -> session.update(PublishedTable.DECISION));
        }
    }

    @Test
    default void one_session_gets_the_same_named_lock_twice() throws Exception {
        try (PublishedTable table = new PublishedTable(jdbc())) {
            Jdbc session = table.worker();
            Jdbc other = table.worker();
            assertThat(lock(session, "outboxed")).isTrue();
            assertThat(lock(session, "outboxed"))
                    .as("it keeps no worker of the same connection out")
                    .isTrue();

            PublishedTable.isTrue(session, "RELEASE_LOCK(?)", "outboxed");
            assertThat(lock(other, "outboxed")).as("one lock is left").isFalse();
            PublishedTable.isTrue(session, "RELEASE_LOCK(?)", "outboxed");
            assertThat(lock(other, "outboxed")).isTrue();
        }
    }

    @Test
    default void a_named_lock_belongs_to_the_whole_server_and_ignores_case() throws Exception {
        try (PublishedTable table = new PublishedTable(jdbc())) {
            Jdbc first = table.worker();
            Jdbc second = table.worker();
            assertThat(lock(first, "outboxed:Order-1")).isTrue();

            second.connection().setCatalog("information_schema");
            assertThat(lock(second, "outboxed:Order-1"))
                    .as("an outbox in another database")
                    .isFalse();
            assertThat(lock(second, "outboxed:order-1")).as("another entity").isFalse();
        }
    }

    @Test
    default void the_name_of_a_lock_is_too_short_for_the_key_of_an_entity_and_long_enough_for_its_lane()
            throws Exception {
        try (PublishedTable table = new PublishedTable(jdbc())) {
            Jdbc worker = table.worker();
            String entity = "o".repeat(LONGEST_NAME);
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> lock(worker, "outbox:" + entity))
                    .satisfies(e -> assertThat(e.getErrorCode())
                            .as("ER_USER_LOCK_WRONG_NAME, or ER_USER_LOCK_OVERLONG_NAME")
                            .isIn(3057, 4163));

            assertThat(lock(worker, "outboxed:%016x:%016x".formatted(-1L, LaneHash.lane("order", entity))))
                    .as("a hash of the database and the table prefix, and the lane")
                    .isTrue();
        }
    }

    private static boolean lock(Jdbc worker, String name) throws SQLException {
        return PublishedTable.isTrue(worker, "GET_LOCK(?, 0)", name);
    }
}
