package io.outboxed.internal.relay.writes;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A write finds no room on the disk or in the table of locks: no decision is lost, and others are made. */
class FullDiskWritesTest extends FencedWritesFixture {
    @Test
    void of_decisions_that_a_full_disk_prevents_only_some_are_tried_at_a_time() {
        diskFullFor = 2;
        FencedWriteBuffer writes = writes();
        Lease lease = new Lease(1, "me", 1);
        for (int i = 0; i < 50; i++) {
            writes.add(lease, new FencedWrite.CountAttempt(head(2), "mail", i), () -> {});
        }
        writes.flush();

        refusedTransactions = 0;
        now += writes.untilRetry(now);
        assertThat(writes.flush()).isTrue();
        assertThat(refusedTransactions).isBetween(1, 10);
        assertThat(writes.untilRetry(now)).isEqualTo(Duration.ofSeconds(5).toNanos());

        diskFullFor = 0;
        now += writes.untilRetry(now);
        assertThat(writes.flush()).isTrue();
        assertThat(writes.isEmpty()).isTrue();
    }

    /** Read again, its handler would be called every few seconds, and no attempt would count. */
    @ParameterizedTest
    @ValueSource(strings = {"53100", "53200"})
    void a_decision_that_a_full_disk_prevents_is_kept_and_holds_up_only_its_own_aggregate(String full) {
        fullState = full;
        diskFullFor = 2;
        FencedWriteBuffer writes = writes();
        List<Long> done = new ArrayList<>();
        Lease lease = new Lease(1, "me", 1);
        addEach(writes, done, List.of(1L));
        writes.add(lease, new FencedWrite.CountAttempt(head(2), "mail", 1), () -> done.add(2L));
        addEach(writes, done, List.of(3L));

        assertThat(writes.flush()).as("the rest of the turn continues").isTrue();
        assertThat(done).containsExactly(1L, 3L);
        assertThat(writes.anyToFlushNow()).isFalse();
        now += 4_000_000_000L;
        writes.flush();
        assertThat(done).containsExactly(1L, 3L);
        now += 1_000_000_000L;
        writes.flush();
        assertThat(done).containsExactly(1L, 3L);

        diskFullFor = 0;
        now += writes.untilRetry(now);
        assertThat(writes.flush()).isTrue();
        assertThat(done).containsExactly(1L, 3L, 2L);
        assertThat(rejectedLanes).isEmpty();
        assertThat(writes.isEmpty()).isTrue();
    }

    @Test
    void what_the_relay_would_write_again_is_not_kept_on_a_full_disk() {
        diskFullFor = 2;
        FencedWriteBuffer writes = writes();
        addEach(writes, new ArrayList<>(), List.of(2L));

        assertThat(writes.flush()).isTrue();

        assertThat(writes.isEmpty()).isTrue();
        assertThat(rejectedLanes).containsExactly(2L);
    }

    @Test
    void a_start_is_not_taken_back_again_and_again_on_a_full_disk() {
        diskFullFor = 2;
        FencedWriteBuffer writes = writes();
        writes.add(new Lease(1, "me", 1), new FencedWrite.RevertStart(head(2)), () -> {});

        assertThat(writes.flush()).isTrue();

        assertThat(writes.hasPendingFor(2)).isTrue();
        assertThat(writes.untilRetry(now)).isGreaterThan(1_000_000_000L);
        assertThat(rejectedLanes).isEmpty();
    }

    private static MessageHead head(long lane) {
        return new MessageHead(
                1, new UUID(1, 1), 1, lane, "placed", "order", MessageState.READY, 0, 1, 4, 0, false, null, null);
    }
}
