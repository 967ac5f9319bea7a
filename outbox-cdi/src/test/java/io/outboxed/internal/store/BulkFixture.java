package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;

import io.outboxed.DeadLetter;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingState;
import java.util.function.Consumer;

/** The dead letters and nodes that the contracts of bulk operations use. */
interface BulkFixture extends JdbcContract {
    Attribution BOB = new Attribution("bob", "rest", "mail server is back");
    WaitingFilter WAITS_FOR_A = WaitingFilter.in(WaitingState.WAITING).handler("A");
    DeadLetterFilter OF_A = DeadLetterFilter.all().handler("A");

    default BulkNode bulkNode() {
        return bulkNode(discarded -> {});
    }

    default BulkNode bulkNode(Consumer<DeadLetter> discarded) {
        return new BulkNode(jdbc(), jdbc().source(), discarded);
    }

    default void waitOfA(int deliveries) {
        for (int i = 0; i < deliveries; i++) {
            write(resolve(publish(), retry("A", HOUR)));
        }
    }

    default void dieOfA(int letters) {
        for (int i = 0; i < letters; i++) {
            write(resolve(publish(), dead("A")));
        }
    }
}
