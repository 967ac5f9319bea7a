package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.store.Lease;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Where reading starts. While somebody holds an old snapshot, a read steps over every row that was settled since; from the
 * start of the table 150,000 of them cost 690 to 810 ms on MySQL, above a mark 3 to 5 ms.
 */
class HeldShardTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final HeldShard shard = new HeldShard(new Lease(7, "me", 1), 0, 0);

    @Test
    void a_shard_is_read_from_its_start_at_first() {
        assertThat(shard.window(0, SECOND).above()).isZero();
    }

    @Test
    void the_mark_lags_behind_what_was_seen_by_at_least_fifteen_seconds() {
        shard.seen(1000);
        assertThat(shard.window(0, 14 * SECOND).above()).as("seen just now").isZero();

        shard.window(0, 16 * SECOND);
        shard.seen(5000);
        assertThat(shard.window(0, 30 * SECOND).above())
                .as("a late commit may still be below")
                .isZero();
        assertThat(shard.window(0, 32 * SECOND).above()).isEqualTo(1000);
        assertThat(shard.window(0, 48 * SECOND).above()).isEqualTo(5000);
    }

    @Test
    void what_was_dropped_from_memory_is_read_again_from_the_start() {
        shard.seen(1000);
        shard.window(0, 16 * SECOND);
        assertThat(shard.window(0, 32 * SECOND).above()).isEqualTo(1000);

        shard.readAgain();
        assertThat(shard.window(0, 33 * SECOND).above()).isZero();
        assertThat(shard.hot).isTrue();
    }

    @Test
    void the_window_is_wider_than_what_is_in_memory_or_nothing_new_would_be_seen() {
        assertThat(shard.window(80, SECOND).limit()).isGreaterThan(80);
    }
}
