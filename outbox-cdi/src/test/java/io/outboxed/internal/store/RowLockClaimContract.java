package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Jdbc;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows claimed by FOR UPDATE SKIP LOCKED: which statements keep the order of an entity, and which only seem to. */
interface RowLockClaimContract extends JdbcContract {
    String WITHOUT_GATE = "SELECT id FROM outbox WHERE status = 'NEW' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED";

    String GATE_OF_NEW_ROWS = "SELECT o.id FROM outbox o WHERE o.status = 'NEW' AND NOT EXISTS (SELECT 1 FROM outbox e"
            + " WHERE e.entity_key = o.entity_key AND e.id < o.id AND e.status = 'NEW')"
            + " ORDER BY o.id LIMIT 1 FOR UPDATE OF o SKIP LOCKED";

    String GATE_OF_ALL_ROWS = "SELECT o.id FROM outbox o WHERE o.status = 'NEW' AND NOT EXISTS (SELECT 1 FROM outbox e"
            + " WHERE e.entity_key = o.entity_key AND e.id < o.id)"
            + " ORDER BY o.id LIMIT 1 FOR UPDATE OF o SKIP LOCKED";

    @Test
    default void skip_locked_alone_gives_a_later_row_of_the_entity_to_another_worker() throws Exception {
        try (PublishedTable table = new PublishedTable(jdbc())) {
            table.add(1, "order-1");
            table.add(2, "order-1");
            Jdbc first = table.worker();
            Jdbc second = table.worker();

            assertThat(PublishedTable.ids(first, WITHOUT_GATE)).containsExactly(1L);
            assertThat(PublishedTable.ids(second, WITHOUT_GATE))
                    .as("wrong: both work on the entity at the same time")
                    .containsExactly(2L);
        }
    }

    @Test
    default void a_gate_at_the_first_row_keeps_the_entity_with_one_worker_until_its_commit() throws Exception {
        try (PublishedTable table = new PublishedTable(jdbc())) {
            table.add(1, "order-1");
            table.add(2, "order-1");
            table.add(3, "order-2");
            Jdbc first = table.worker();
            Jdbc second = table.worker();

            assertThat(PublishedTable.ids(first, GATE_OF_ALL_ROWS)).containsExactly(1L);
            assertThat(PublishedTable.ids(second, GATE_OF_ALL_ROWS))
                    .as("the next entity")
                    .containsExactly(3L);
            second.connection().rollback();

            first.update("DELETE FROM outbox WHERE id = 1");
            first.connection().commit();
            assertThat(PublishedTable.ids(second, GATE_OF_ALL_ROWS)).containsExactly(2L);
        }
    }

    @Test
    default void a_gate_must_also_see_rows_that_are_claimed_or_wait_for_a_retry() throws Exception {
        for (String status : List.of("PROCESSING", "RETRY")) {
            try (PublishedTable table = new PublishedTable(jdbc())) {
                table.add(1, "order-1", status);
                table.add(2, "order-1");
                Jdbc worker = table.worker();

                assertThat(PublishedTable.ids(worker, GATE_OF_NEW_ROWS))
                        .as("wrong: overtakes a row with status " + status)
                        .containsExactly(2L);
                worker.connection().rollback();
                assertThat(PublishedTable.ids(worker, GATE_OF_ALL_ROWS)).isEmpty();
            }
        }
    }
}
