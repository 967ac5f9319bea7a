package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.RegisteredHandler.Drop;
import io.outboxed.admin.RegisteredHandler.DropResult;
import io.outboxed.internal.operations.DeliveryDrop;
import io.outboxed.internal.operations.HandlerDrop;
import io.outboxed.internal.operations.OutboxOperations;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When all that waits for a retired handler is dropped. */
interface HandlerDropContract extends OperationsContract {

    private void register(String... handlers) {
        for (String handler : handlers) {
            store().handlers().register(List.of(StoreContract.handler("order.placed", handler)));
        }
    }

    private void waitUntilNoticed() throws SQLException {
        jdbc().run("UPDATE outbox_audit SET changed_at = changed_at - 10000000");
    }

    @Test
    default void a_drop_is_complete_only_once_nodes_have_noticed_whoever_has_retired_the_handler() throws Exception {
        register("A");
        try (OutboxOperations operations = operations()) {
            HandlerDrop drops = operations.handlerDrop();
            assertThat(drops.drop(Drop.retiring("A"), 10, ALICE).complete()).isFalse();

            DropResult second = drops.drop(Drop.retiring("A"), 10, ALICE);
            assertThat(second.retired()).isEmpty();
            assertThat(second.complete()).as("it was retired by the first one").isFalse();
            assertThat(drops.drop(Drop.of("A"), 10, ALICE).complete()).isFalse();
            assertThat(drops.untilNoticed("A")).isPositive().isLessThanOrEqualTo(DeliveryDrop.NOTICED_WITHIN);

            waitUntilNoticed();
            assertThat(drops.untilNoticed("A")).isZero();
            assertThat(drops.drop(Drop.retiring("A"), 10, ALICE).complete()).isTrue();
        }
    }

    @Test
    default void a_drop_does_not_wait_for_the_retirement_of_another_handler() throws Exception {
        register("A", "AB", "%");
        try (OutboxOperations operations = operations()) {
            HandlerDrop drops = operations.handlerDrop();
            drops.drop(Drop.retiring("A"), 10, ALICE);
            drops.drop(Drop.retiring("%"), 10, ALICE);
            waitUntilNoticed();
            drops.drop(Drop.retiring("AB"), 10, ALICE);

            assertThat(drops.drop(Drop.of("A"), 10, ALICE).complete()).isTrue();
            assertThat(drops.drop(Drop.of("%"), 10, ALICE).complete()).isTrue();
            assertThat(drops.drop(Drop.of("AB"), 10, ALICE).complete()).isFalse();
        }
    }

    /** A row of a time that has not come, after the clock was set back, does not count for as long as it lies ahead. */
    @Test
    default void the_wait_is_bounded_when_the_clock_of_the_database_was_set_back() throws Exception {
        register("A");
        try (OutboxOperations operations = operations()) {
            HandlerDrop drops = operations.handlerDrop();
            drops.drop(Drop.retiring("A"), 10, ALICE);
            jdbc().run("UPDATE outbox_audit SET changed_at = changed_at + 5000000");
            assertThat(drops.untilNoticed("A")).isEqualTo(DeliveryDrop.NOTICED_WITHIN);

            jdbc().run("UPDATE outbox_audit SET changed_at = changed_at + 3600000000");
            assertThat(drops.untilNoticed("A")).isEqualTo(Duration.ZERO);
        }
    }
}
