package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.Attribution;
import io.outboxed.admin.ReplayResult;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfig.DeadLetters;
import io.outboxed.internal.config.OutboxConfig.Poll;
import io.outboxed.internal.config.OutboxConfig.Relay;
import io.outboxed.internal.config.OutboxConfig.Retry;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.jdbc.DeadLetterStore.Target;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an operator changes in the tables of a node that is running, and how soon it notices. */
@ExtendWith(SilentLog.class)
abstract class NoticedChangesContract {
    private static final Attribution ALICE = new Attribution("alice", "cli", "the shop is open again");
    private static final Retry TWICE_IN_AN_HOUR = new Retry(2, Duration.ofHours(1), 1, Duration.ofHours(1), false);
    /** Also while there is much to do. */
    private static final Poll AS_SELDOM_AS_WHEN_IDLE = new Poll(Poll.DEFAULTS.max(), Poll.DEFAULTS.max());
    /** A poll, and what else takes time on a busy machine. */
    private static final Duration LONGEST = Poll.DEFAULTS.max().plusSeconds(4);

    /** @param at of the node's clock */
    private record Called(UUID id, long at) {}

    /** With empty tables. */
    abstract LiveDatabase database() throws SQLException;

    @Test
    void a_retry_and_a_replay_reach_the_handler_within_a_poll() throws SQLException {
        areNoticed(false);
    }

    @Test
    void a_replay_of_a_dead_letter_that_blocks_its_aggregate_does_so_too() throws SQLException {
        areNoticed(true);
    }

    private void areNoticed(boolean blocking) throws SQLException {
        List<Called> calls = new CopyOnWriteArrayList<>();
        try (LiveDatabase database = database();
                OutboxOperations operator = OutboxOperations.open(database.source(), "outbox_");
                LiveNode live = new LiveNode(database, config(blocking), Map.of("ship", delivery -> {
                    calls.add(new Called(delivery.head().id(), System.nanoTime()));
                    return calls.size() < 3
                            ? new Outcome.Failed(new IllegalStateException("closed"))
                            : new Outcome.Done(false);
                }))) {
            live.publishHere(7);
            live.until("the first attempt has failed", () -> !calls.isEmpty());
            UUID id = calls.get(0).id();

            isNoticed(live, calls, "retry", () -> operator.retryNow(id, "ship", ALICE));
            live.until("the second attempt has failed, too", () -> database.deadLetters("ship") == 1);
            isNoticed(
                    live,
                    calls,
                    "replay",
                    () -> operator.deadLetterChanges().replay(Target.whichever(id, "ship"), true, ALICE)
                            == ReplayResult.REPLAYED);
            live.until("the replay is delivered", live::isEmpty);
            assertThat(calls).hasSize(3).allMatch(call -> call.id().equals(id));
        }
    }

    /** @param change commits and returns true, or changes nothing yet */
    private static void isNoticed(LiveNode live, List<Called> calls, String what, BooleanSupplier change) {
        int before = calls.size();
        live.until(what + " is committed", change);
        long committed = System.nanoTime();
        live.until("the handler is called after the " + what, () -> calls.size() > before);
        assertThat(Duration.ofNanos(calls.get(before).at() - committed))
                .as("from the commit of the " + what + " to the call")
                .isLessThan(LONGEST);
    }

    private static OutboxConfig config(boolean blocking) {
        Relay relay = new Relay(
                true,
                2,
                500,
                2000,
                AS_SELDOM_AS_WHEN_IDLE,
                Duration.ofMinutes(2),
                Duration.ofSeconds(10),
                Duration.ofSeconds(1),
                "",
                Set.of(),
                ClaimStrategy.SHARDS);
        return OutboxConfig.DEFAULTS
                .withRelay(relay)
                .withRetry(TWICE_IN_AN_HOUR)
                .withDeadLetters(new DeadLetters(blocking, Map.of()));
    }
}
