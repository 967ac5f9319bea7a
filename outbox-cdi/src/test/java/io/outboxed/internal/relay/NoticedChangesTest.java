package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.Attribution;
import io.outboxed.admin.ReplayResult;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfig.Retry;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.store.jdbc.DeadLetterStore.Target;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an operator changes in the tables of a node that is running. */
@ExtendWith(SilentLog.class)
class NoticedChangesTest {
    private static final Attribution ALICE = new Attribution("alice", "cli", "the shop is open again");
    private static final Retry TWICE_IN_AN_HOUR = new Retry(2, Duration.ofHours(1), 1, Duration.ofHours(1), false);

    @Test
    void a_retry_and_a_replay_reach_the_handler_without_its_waiting_time() throws SQLException {
        List<UUID> calls = new CopyOnWriteArrayList<>();
        try (LiveDatabase database = new LiveDatabase();
                OutboxOperations operator = OutboxOperations.open(database.source(), "outbox_");
                LiveNode live = new LiveNode(
                        database, OutboxConfig.DEFAULTS.withRetry(TWICE_IN_AN_HOUR), Map.of("ship", delivery -> {
                            calls.add(delivery.head().id());
                            return calls.size() < 3
                                    ? new Outcome.Failed(new IllegalStateException("closed"))
                                    : new Outcome.Done(false);
                        }))) {
            live.publishHere(7);
            live.until("the first attempt has failed", () -> !calls.isEmpty());
            UUID id = calls.get(0);
            live.until("it waits, and is due now", () -> operator.retryNow(id, "ship", ALICE));
            live.until("the second attempt has failed, too", () -> database.deadLetters("ship") == 1);
            assertThat(operator.deadLetterChanges().replay(Target.whichever(id, "ship"), true, ALICE))
                    .isEqualTo(ReplayResult.REPLAYED);
            live.until("the replay is delivered", live::isEmpty);
        }
        assertThat(calls).hasSize(3).containsOnly(calls.get(0));
    }
}
