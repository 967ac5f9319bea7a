package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A lane whose rows were dropped stays locked until they are read again. */
@ExtendWith(SilentLog.class)
class DroppedLanesTest extends LaneClaimsFixture {
    @Test
    void a_lane_that_was_dropped_stays_until_its_rows_are_read_again() {
        read(claims, 1L, 2L);
        claims.dropped(1);
        assertThat(claims.mayBringIn(1)).as("its first rows must come first").isFalse();
        claims.release(lane -> false);
        assertThat(other.tryLock(List.of(1L, 2L))).containsExactly(2L);

        List<Long> readAgain = new ArrayList<>();
        claims.readDropped(
                lanes -> {
                    readAgain.addAll(lanes);
                    return List.of();
                },
                rows -> {});
        assertThat(readAgain).containsExactly(1L);
        assertThat(claims.mayBringIn(1)).isTrue();
        claims.release(lane -> false);
        assertThat(other.tryLock(List.of(1L))).containsExactly(1L);
    }

    @Test
    void a_read_of_dropped_lanes_that_fails_is_repeated() {
        read(claims, 1L);
        claims.dropped(1);
        assertThatIllegalStateException()
                .isThrownBy(() -> claims.readDropped(
                        lanes -> {
                            throw new IllegalStateException("connection lost");
                        },
                        rows -> {}));
        claims.release(lane -> false);
        assertThat(other.tryLock(List.of(1L))).isEmpty();
    }

    @Test
    void dropped_lanes_that_can_not_be_brought_in_stay_until_they_are_read_again() {
        read(claims, 1L);
        claims.dropped(1);
        assertThatIllegalStateException()
                .isThrownBy(() -> claims.readDropped(locked -> List.of(), rows -> {
                    assertThat(claims.mayBringIn(1)).isTrue();
                    throw new IllegalStateException("connection lost");
                }));
        claims.release(lane -> false);
        assertThat(other.tryLock(List.of(1L))).isEmpty();
        assertThat(claims.mayBringIn(1)).isFalse();
    }
}
