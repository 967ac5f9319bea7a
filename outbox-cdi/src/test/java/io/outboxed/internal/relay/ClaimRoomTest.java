package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** There is no room: for the rows of a lane in memory, or for locks in the database. */
@ExtendWith(SilentLog.class)
class ClaimRoomTest extends LaneClaimsFixture {
    @Test
    void lanes_without_room_are_left_to_other_nodes() {
        assertThat(claims.lock(List.of(1L, 2L), locked -> List.of(), rows -> Set.of(2L)))
                .isTrue();
        assertThat(claims.mayBringIn(2)).as("its lock is given back").isFalse();
        assertThat(claims.holds(2)).isFalse();

        claims.release(lane -> true);
        assertThat(other.tryLock(List.of(1L, 2L))).containsExactly(2L);
        assertThat(claims.mayTry(2)).as("not at once").isFalse();
        other.unlock(List.of(2L));
        pass(Duration.ofSeconds(1));
        assertThat(read(claims, 1L, 2L)).containsExactly(1L, 2L);
    }

    @Test
    void if_all_are_left_to_other_nodes_none_is_claimed() {
        assertThat(claims.lock(List.of(1L, 2L), locked -> List.of(), rows -> Set.of(1L, 2L)))
                .isFalse();
    }

    @Test
    void a_lane_that_is_left_waits_from_the_time_at_which_it_is() {
        claims.lock(List.of(1L), locked -> List.of(), rows -> {
            pass(Duration.ofSeconds(3));
            return Set.of(1L);
        });
        claims.release(lane -> true);
        assertThat(read(claims, 1L)).isEmpty();
        pass(Duration.ofSeconds(1));
        assertThat(read(claims, 1L)).containsExactly(1L);
    }

    @Test
    void without_room_for_locks_none_is_asked_for_during_a_second_and_the_session_goes_on() {
        read(claims, 1L);
        mine.room = 1;
        assertThat(read(claims, 1L, 2L, 3L)).containsExactly(1L);
        mine.room = Integer.MAX_VALUE;
        assertThat(claims.isFull(now)).isTrue();
        assertThat(other.tryLock(List.of(2L))).as("what the attempt has locked").containsExactly(2L);
        other.unlock(List.of(2L));
        assertThat(read(claims, 1L, 2L, 3L)).containsExactly(1L);
        pass(Duration.ofSeconds(1));
        assertThat(claims.isFull(now)).isFalse();
        assertThat(read(claims, 1L, 2L, 3L)).as("fewer at first").containsExactly(1L, 2L);
        assertThat(read(claims, 1L, 2L, 3L)).containsExactly(1L, 2L, 3L);
    }

    @Test
    void with_room_for_some_locks_fewer_are_asked_for_until_they_fit() {
        mine.room = 10;
        Long[] lanes = LongStream.rangeClosed(1, 40).boxed().toArray(Long[]::new);
        for (int second = 0; second < 2; second++) {
            assertThat(read(claims, lanes)).isEmpty();
            pass(Duration.ofSeconds(1));
        }
        assertThat(read(claims, lanes)).hasSize(10);

        mine.room = Integer.MAX_VALUE;
        assertThat(read(claims, lanes)).hasSize(30);
        assertThat(read(claims, lanes)).hasSize(40);
    }

    @Test
    void without_room_to_ask_for_other_nodes_no_lane_is_claimed_and_the_session_goes_on() {
        mine.roomToAsk = false;
        assertThat(read(claims, 1L)).isEmpty();
        assertThat(claims.leads(now)).isFalse();
        claims.release(lane -> true);
        assertThat(other.tryLock(List.of(1L))).containsExactly(1L);
        other.unlock(List.of(1L));
        mine.roomToAsk = true;
        pass(Duration.ofSeconds(2));
        assertThat(read(claims, 1L)).containsExactly(1L);
        assertThat(claims.leads(now)).isTrue();
    }

    @Test
    void without_room_to_ask_half_as_many_lanes_are_tried_next() {
        mine.roomToAsk = false;
        assertThat(read(claims, 1L, 2L, 3L, 4L)).isEmpty();
        claims.release(lane -> true);
        mine.roomToAsk = true;
        pass(Duration.ofSeconds(1));

        assertThat(read(claims, 1L, 2L, 3L, 4L)).containsExactly(1L, 2L);
    }
}
