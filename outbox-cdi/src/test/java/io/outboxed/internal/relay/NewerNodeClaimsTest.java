package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A lane that waits for a handler of a newer node is left to that node for a while. */
@ExtendWith(SilentLog.class)
class NewerNodeClaimsTest extends LaneClaimsFixture {
    @Test
    void a_lane_that_waits_for_a_handler_of_a_newer_node_is_left_to_it_for_a_while() {
        claims.newerNode(now);
        assertThat(read(claims, 1L, 2L)).containsExactly(1L, 2L);
        claims.leaveToNewer(1L, now, 0);
        claims.release(lane -> false);

        assertThat(read(claims, 1L, 2L)).containsExactly(2L);
        pass(Duration.ofSeconds(4));
        assertThat(read(claims, 1L, 2L)).containsExactly(2L);
        pass(Duration.ofSeconds(1));
        assertThat(read(claims, 1L, 2L)).containsExactly(1L, 2L);
    }

    @Test
    void a_newer_node_has_its_chance_when_the_deferred_row_is_due() {
        claims.newerNode(now);
        claims.leaveToNewer(1L, now, Duration.ofSeconds(5).toNanos());
        claims.leaveToNewer(2L, now, Duration.ofDays(1).toNanos());
        assertThat(read(claims, 1L, 2L)).isEmpty();

        pass(Duration.ofSeconds(9));
        assertThat(read(claims, 1L, 2L)).isEmpty();
        pass(Duration.ofSeconds(1));
        assertThat(read(claims, 1L, 2L)).containsExactly(1L);
        pass(Duration.ofSeconds(25));
        assertThat(read(claims, 1L, 2L)).as("at most half a minute more").containsExactly(1L, 2L);
    }

    @Test
    void without_a_newer_node_no_lane_is_left() {
        claims.leaveToNewer(1L, now, 0);
        assertThat(read(claims, 1L)).containsExactly(1L);

        claims.newerNode(now);
        pass(Duration.ofSeconds(5));
        claims.leaveToNewer(2L, now, 0);
        assertThat(read(claims, 2L)).as("it is gone").containsExactly(2L);
    }
}
