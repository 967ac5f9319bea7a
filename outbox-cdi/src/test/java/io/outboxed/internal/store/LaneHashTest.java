package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LaneHashTest {

    @Test
    void the_numbers_never_change() {
        assertThat(LaneHash.lane("order", "o-1")).isEqualTo(268313126821240499L);
        assertThat(LaneHash.lane("", "")).isEqualTo(-2360060374177730597L);
        assertThat(LaneHash.lane("customer", "Grüße \uD83C\uDF75")).isEqualTo(-2355923713574587903L);
        assertThat(LaneHash.lane(UUID.fromString("01a1f764-e116-748d-8ecc-713f1c695229")))
                .isEqualTo(3931608140184270581L);
    }

    @Test
    void the_shard_is_the_lowest_six_bits_of_the_lane() {
        assertThat(LaneHash.shard(0)).isZero();
        assertThat(LaneHash.shard(63)).isEqualTo(63);
        assertThat(LaneHash.shard(64)).isZero();
        assertThat(LaneHash.shard(-1)).isEqualTo(63);
        assertThat(LaneHash.shard(Long.MIN_VALUE)).isZero();
    }

    @Test
    void type_and_id_are_kept_apart() {
        assertThat(LaneHash.lane("ab", "c")).isNotEqualTo(LaneHash.lane("a", "bc"));
        assertThat(LaneHash.lane("order", "1")).isNotEqualTo(LaneHash.lane("customer", "1"));
        assertThat(LaneHash.lane("", "order1")).isNotEqualTo(LaneHash.lane("order", "1"));
    }

    @Test
    void aggregates_spread_evenly_over_the_shards() {
        int[] counts = new int[LaneHash.SHARDS];
        for (int i = 0; i < 64_000; i++) {
            counts[LaneHash.shard(LaneHash.lane("order", String.valueOf(i)))]++;
        }

        assertThat(Arrays.stream(counts).min().orElseThrow()).isGreaterThan(850);
        assertThat(Arrays.stream(counts).max().orElseThrow()).isLessThan(1150);
    }
}
