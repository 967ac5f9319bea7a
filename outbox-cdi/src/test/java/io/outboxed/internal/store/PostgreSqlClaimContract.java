package io.outboxed.internal.store;

import static io.outboxed.internal.store.JdbcContract.elsewhere;
import static io.outboxed.internal.store.JdbcContract.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.relay.Await;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Statements of published designs that claim rows on PostgreSQL, as they were published and as they hold. */
interface PostgreSqlClaimContract extends RowLockClaimContract {
    /** As published. */
    String LOCK_OF_THE_CLAIM = "WITH candidate_entities AS (SELECT DISTINCT entity_key FROM outbox"
            + " WHERE status = 'NEW' ORDER BY entity_key LIMIT 200), locked_entities AS (SELECT entity_key"
            + " FROM candidate_entities WHERE pg_try_advisory_xact_lock(1, hashtext(entity_key)) LIMIT 50)"
            + " UPDATE outbox o SET status = 'PROCESSING', locked_at = NOW() FROM locked_entities le"
            + " WHERE o.entity_key = le.entity_key AND o.status = 'NEW' RETURNING o.id";

    /** As published. */
    String FIRST_ROWS = "WITH locked_first_rows AS (SELECT DISTINCT ON (entity_key) id, entity_key FROM outbox"
            + " WHERE status = 'NEW' ORDER BY entity_key, id FOR UPDATE SKIP LOCKED), batch_entities AS"
            + " (SELECT entity_key FROM locked_first_rows LIMIT 50) UPDATE outbox o SET status = 'PROCESSING',"
            + " locked_at = NOW() FROM batch_entities be WHERE o.entity_key = be.entity_key AND o.status = 'NEW'"
            + " RETURNING o.id";

    String ROWS = "SELECT id FROM outbox WHERE entity_key = ? ORDER BY id";

    long GATE = 1;

    @Test
    default void a_lock_of_the_claiming_transaction_ends_before_the_work_does() throws Exception {
        try (PublishedTable table = new PublishedTable(jdbc())) {
            table.add(1, "order-1");
            Jdbc first = table.worker();
            Jdbc second = table.worker();

            assertThat(PublishedTable.ids(first, LOCK_OF_THE_CLAIM)).containsExactly(1L);
            first.connection().commit();
            table.add(2, "order-1");
            assertThat(PublishedTable.ids(second, LOCK_OF_THE_CLAIM))
                    .as("wrong: row 1 is still being handled")
                    .containsExactly(2L);
        }
    }

    @Test
    default void a_lock_of_the_session_holds_until_the_work_is_acknowledged() throws Exception {
        try (PublishedTable table = new PublishedTable(jdbc())) {
            table.add(1, "order-1");
            Jdbc first = table.worker();
            Jdbc second = table.worker();

            assertThat(lock(first, "order-1")).isTrue();
            assertThat(PublishedTable.ids(first, ROWS, "order-1")).containsExactly(1L);
            first.connection().commit();
            table.add(2, "order-1");
            assertThat(lock(second, "order-1")).as("while row 1 is handled").isFalse();

            table.finish(1);
            assertThat(unlock(first, "order-1")).isTrue();
            assertThat(lock(second, "order-1")).isTrue();
            assertThat(PublishedTable.ids(second, ROWS, "order-1")).containsExactly(2L);
        }
    }

    /** The snapshot of a statement is older than the locks that it takes. */
    @Test
    default void a_statement_that_locks_and_reads_returns_rows_that_are_done_and_a_second_statement_does_not()
            throws Exception {
        try (PublishedTable table = new PublishedTable(jdbc())) {
            table.add(1, "order-1");
            Jdbc first = table.worker();
            Jdbc second = table.worker();
            Jdbc slow = table.worker();
            assertThat(lock(first, "order-1")).isTrue();
            PublishedTable.isTrue(slow, "pg_advisory_lock(?) IS NOT NULL", GATE);

            CompletableFuture<List<Long>> inOneStatement = elsewhere(() -> PublishedTable.ids(
                    second,
                    "WITH candidate AS MATERIALIZED (SELECT DISTINCT entity_key FROM outbox),"
                            + " slow AS MATERIALIZED (SELECT pg_advisory_lock_shared(?)),"
                            + " locked AS MATERIALIZED (SELECT entity_key FROM candidate"
                            + " WHERE CASE WHEN (SELECT COUNT(*) FROM slow) = 1"
                            + " THEN pg_try_advisory_lock(2, hashtext(entity_key)) END)"
                            + " SELECT o.id FROM outbox o JOIN locked USING (entity_key)",
                    GATE));
            Await.until(
                    "the statement has its snapshot",
                    Duration.ofSeconds(20),
                    this::isAnyWaiting,
                    () -> "done: " + inOneStatement.isDone());
            table.finish(1);
            assertThat(unlock(first, "order-1")).isTrue();
            PublishedTable.isTrue(slow, "pg_advisory_unlock(?)", GATE);

            assertThat(result(inOneStatement))
                    .as("wrong: row 1 was handled before this worker had the lock")
                    .containsExactly(1L);
            assertThat(PublishedTable.ids(second, ROWS, "order-1"))
                    .as("read after the lock")
                    .isEmpty();
        }
    }

    private boolean isAnyWaiting() {
        try {
            return new Jdbc(jdbc().admin, jdbc().dialect())
                    .exists("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    default void one_session_gets_the_same_lock_twice() throws Exception {
        try (PublishedTable table = new PublishedTable(jdbc())) {
            Jdbc session = table.worker();
            Jdbc other = table.worker();
            assertThat(lock(session, "order-1")).isTrue();
            assertThat(lock(session, "order-1"))
                    .as("it keeps no worker of the same connection out")
                    .isTrue();

            unlock(session, "order-1");
            assertThat(lock(other, "order-1")).as("one lock is left").isFalse();
            unlock(session, "order-1");
            assertThat(lock(other, "order-1")).isTrue();
        }
    }

    @Test
    default void a_session_that_is_lost_frees_its_locks_and_only_a_write_in_it_fails() throws Exception {
        try (PublishedTable table = new PublishedTable(jdbc())) {
            table.add(1, "order-1");
            Jdbc session = table.worker();
            Jdbc itsPool = table.worker();
            Jdbc other = table.worker();
            assertThat(lock(session, "order-1")).isTrue();
            int process = session.first("SELECT pg_backend_pid() AS pid", row -> row.getInt("pid"))
                    .orElseThrow();

            assertThat(PublishedTable.isTrue(other, "pg_terminate_backend(?, 20000)", process))
                    .isTrue();
            assertThat(lock(other, "order-1"))
                    .as("while a handler of the first worker may still run")
                    .isTrue();
            assertThat(itsPool.update(PublishedTable.DECISION))
                    .as("wrong: it decides without the lock")
                    .isEqualTo(1);
            itsPool.connection().rollback();
            assertThatExceptionOfType(SQLException.class).isThrownBy(() -> session.update(PublishedTable.DECISION));
        }
    }

    @Test
    default void a_hash_of_32_bits_is_shared_by_entities_and_its_absolute_value_fails() throws Exception {
        try (PublishedTable table = new PublishedTable(jdbc())) {
            Jdbc worker = table.worker();
            assertThat(worker.exists("SELECT hashtext('order-' || i) FROM generate_series(1, 300000) i"
                            + " GROUP BY 1 HAVING COUNT(*) > 1"))
                    .as("two entities that exclude each other without a reason")
                    .isTrue();
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> worker.exists("SELECT abs((-2147483648)::int)"))
                    .satisfies(
                            e -> assertThat(e.getSQLState()).as("out of range").isEqualTo("22003"));
        }
    }

    @Test
    default void candidates_that_always_begin_at_the_same_entity_or_at_a_random_one_are_missed() throws Exception {
        try (PublishedTable table = new PublishedTable(jdbc())) {
            for (long id = 1; id <= 4; id++) {
                table.add(id, "order-" + id);
            }
            Jdbc first = table.worker();
            Jdbc second = table.worker();
            String candidates = "SELECT DISTINCT entity_key FROM outbox WHERE status = 'NEW' ORDER BY entity_key";
            String locked = "SELECT entity_key FROM (%s) c WHERE pg_try_advisory_lock(2, hashtext(entity_key))";
            assertThat(entities(first, locked.formatted(candidates + " LIMIT 2")))
                    .containsExactly("order-1", "order-2");

            assertThat(entities(second, locked.formatted(candidates + " LIMIT 2")))
                    .as("wrong: the same candidates, while two others are free")
                    .isEmpty();
            assertThat(entities(second, locked.formatted(candidates + " OFFSET 99 LIMIT 2")))
                    .as("wrong: a random offset up to 100 in a backlog of 4")
                    .isEmpty();
            assertThat(entities(
                            second,
                            locked.formatted("SELECT DISTINCT entity_key FROM outbox WHERE status = 'NEW'"
                                    + " AND entity_key > 'order-2' ORDER BY entity_key LIMIT 2")))
                    .as("above the last candidate of the round before")
                    .containsExactly("order-3", "order-4");
        }
    }

    @Test
    default void rows_can_not_be_made_distinct_and_locked_in_one_query() throws Exception {
        try (PublishedTable table = new PublishedTable(jdbc())) {
            Jdbc worker = table.worker();
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> PublishedTable.ids(worker, FIRST_ROWS))
                    .satisfies(e -> assertThat(e.getSQLState()).isEqualTo("0A000"))
                    .havingCause()
                    .withMessageContaining("FOR UPDATE is not allowed with DISTINCT clause");
        }
    }

    private static List<String> entities(Jdbc worker, String sql) throws SQLException {
        return worker.list(sql, row -> row.getString("entity_key")).stream()
                .sorted()
                .toList();
    }

    private static boolean lock(Jdbc worker, String entity) throws SQLException {
        return PublishedTable.isTrue(worker, "pg_try_advisory_lock(2, hashtext(?))", entity);
    }

    private static boolean unlock(Jdbc worker, String entity) throws SQLException {
        return PublishedTable.isTrue(worker, "pg_advisory_unlock(2, hashtext(?))", entity);
    }
}
