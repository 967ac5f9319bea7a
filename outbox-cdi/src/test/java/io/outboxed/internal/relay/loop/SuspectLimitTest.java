package io.outboxed.internal.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.cluster.Lease;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SuspectLimitTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Lanes lanes = new Lanes(1_000, lane -> {});
    private final SuspectLimit suspectLimit = new SuspectLimit(lanes);

    @Test
    void one_that_hangs_holds_up_those_like_it_for_five_seconds_only() {
        Turn hangs = runningAtADeath(1);
        Turn next = runningAtADeath(2);
        assertThat(suspectLimit.admit(hangs, 0)).isTrue();
        assertThat(suspectLimit.admit(next, 0)).isFalse();
        lanes.putBack(next);
        runnable(0);

        suspectLimit.offerNext(5 * SECOND);
        assertThat(runnable(5 * SECOND)).isEmpty();

        suspectLimit.offerNext(5 * SECOND + 1);
        assertThat(runnable(5 * SECOND + 1)).containsExactly(next.lane);
        assertThat(suspectLimit.admit(next, 5 * SECOND + 1)).isTrue();
    }

    private List<Lane> runnable(long now) {
        return lanes.takeRunnable(10, now, lane -> false);
    }

    private Turn runningAtADeath(long seq) {
        Lane lane = lanes.open(seq, 0);
        MessageHead head = new MessageHead(
                seq, UUID.randomUUID(), 0, seq, "placed", "order", MessageState.READY, 0, 1, 0, 1, false, null, null);
        lanes.append(lane, head);
        Turn turn = new Turn(lane, new Lease(0, "me", 1), head, null);
        turn.deaths = 1;
        lane.turns.add(turn);
        return turn;
    }
}
