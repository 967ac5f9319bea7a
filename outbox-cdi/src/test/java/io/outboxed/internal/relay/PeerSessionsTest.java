package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.NodeHeartbeat;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sessions that end: whose locks are free, and whether their node may still be alive. */
@ExtendWith(SilentLog.class)
class PeerSessionsTest extends LaneClaimsFixture {
    @Test
    void no_lane_is_claimed_while_a_node_that_counts_as_alive_has_lost_its_locks() {
        NodeHeartbeat observed = store.nodes().live().get(0);
        other.end();
        assertThat(read(claims, 1L)).isEmpty();
        claims.release(lane -> true);
        assertThat(deaths).hasValue(0);
        pass(Duration.ofMillis(100));

        assertThat(store.nodes().declareDead(observed)).isTrue();
        assertThat(claims.anyDied()).isFalse();
        assertThat(read(claims, 1L)).containsExactly(1L);
        assertThat(deaths).as("before lane 1 is included").hasValue(1);
        assertThat(claims.anyDied()).isTrue();
    }

    @Test
    void what_a_dead_node_was_running_is_taken_into_account_when_its_locks_are_free() {
        store.nodes().declareDead(store.nodes().live().get(0));
        other.tryLock(List.of(1L));
        assertThat(read(claims, 1L, 2L)).containsExactly(2L);
        assertThat(deaths).hasValue(0);
        pass(Duration.ofMillis(100));
        other.end();
        assertThat(read(claims, 1L, 2L)).containsExactly(1L, 2L);
        assertThat(deaths).hasValue(1);
        assertThat(read(claims, 3L)).containsExactly(3L);
        assertThat(deaths).as("once").hasValue(1);
    }

    @Test
    void a_node_that_has_left_holds_up_nobody() {
        store.nodes().leave(OTHER);
        other.abandon();
        assertThat(read(claims, 1L)).containsExactly(1L);
        assertThat(deaths).hasValue(0);
    }

    @Test
    void without_a_session_nothing_is_claimed() {
        read(claims, 1L);
        mine.end();
        assertThat(read(claims, 1L, 2L))
                .as("what it has counts until it has lost its lease")
                .containsExactly(1L);
        claims.lostAll();
        assertThat(read(claims, 1L, 2L)).isEmpty();
    }

    @Test
    void a_session_that_ends_while_rows_are_read_proves_nothing() {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> claims.lock(
                        List.of(1L),
                        locked -> {
                            mine.end();
                            return List.of();
                        },
                        rows -> Set.of()));
        assertThat(claims.mayBringIn(1)).isFalse();
    }

    @Test
    void locks_that_were_taken_in_the_next_session_are_not_forgotten() {
        mine.open(ClaimStrategy.ADVISORY_LOCK.nodePrefix() + "again");
        store.nodes().join(ClaimStrategy.ADVISORY_LOCK.nodePrefix() + "again", "again", 1);
        store.nodes().leave(ONE);
        read(claims, 1L);
        claims.lostAll();
        assertThat(other.tryLock(List.of(1L))).containsExactly(1L);
    }
}
