package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.store.Lease;
import io.outboxed.internal.store.Window;
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
        assertThat(shard.window(0, 10, SECOND).above()).isZero();
    }

    @Test
    void the_mark_lags_behind_what_was_seen_by_at_least_fifteen_seconds() {
        shard.seen(1000);
        assertThat(shard.window(0, 10, 14 * SECOND).above()).as("seen just now").isZero();

        shard.window(0, 10, 16 * SECOND);
        shard.seen(5000);
        assertThat(shard.window(0, 10, 30 * SECOND).above())
                .as("a late commit may still be below")
                .isZero();
        assertThat(shard.window(0, 10, 32 * SECOND).above()).isEqualTo(1000);
        assertThat(shard.window(0, 10, 48 * SECOND).above()).isEqualTo(5000);
    }

    @Test
    void what_was_dropped_from_memory_is_read_again_from_the_start() {
        shard.seen(1000);
        shard.window(0, 10, 16 * SECOND);
        assertThat(shard.window(0, 10, 32 * SECOND).above()).isEqualTo(1000);

        shard.readAgain();
        assertThat(shard.hot).isTrue();
        assertThat(shard.window(0, 10, 33 * SECOND).above()).isZero();
    }

    @Test
    void a_backlog_is_read_on_above_its_last_page_and_from_the_mark_when_a_row_may_be_late() {
        shard.wasRead(500, true);
        Window second = shard.window(10, 10, SECOND + 1);
        assertThat(second).isEqualTo(new Window(7, 500, 10));
        assertThat(shard.goesBack(second)).isFalse();
        shard.wasRead(900, true);

        shard.mayHaveLate = true;
        Window back = shard.window(20, 10, 2 * SECOND);
        assertThat(back).as("what committed late is below").isEqualTo(new Window(7, 0, 30));
        assertThat(shard.goesBack(back)).isTrue();
        shard.wasRead(900, true);
        assertThat(shard.window(20, 10, 3 * SECOND).above()).as("only once").isEqualTo(900);
    }

    @Test
    void after_the_last_page_reading_starts_at_the_mark_again_and_only_when_there_is_a_reason() {
        shard.window(0, 10, SECOND);
        shard.wasRead(500, true);
        assertThat(shard.wantsLook()).as("the page was full").isTrue();
        shard.window(10, 10, SECOND + 1);
        shard.wasRead(700, false);

        assertThat(shard.wantsLook()).isFalse();
        shard.hot = true;
        Window fromTheMark = shard.window(0, 10, SECOND + 2);
        assertThat(fromTheMark.above()).isZero();
        assertThat(shard.goesBack(fromTheMark)).as("no backlog").isFalse();
    }

    @Test
    void a_signal_during_a_backlog_is_not_forgotten() {
        shard.window(0, 10, SECOND);
        shard.wasRead(500, true);
        shard.hot = true;
        shard.window(10, 10, SECOND + 1);
        shard.wasRead(700, false);

        assertThat(shard.wantsLook()).isTrue();
    }

    @Test
    void twice_as_many_rows_as_were_put_aside_are_read_beyond_the_room_but_no_more_than_a_thousand() {
        assertThat(shard.takeExpectedAside()).isZero();
        shard.setAside(60);
        shard.setAside(40);
        assertThat(shard.takeExpectedAside()).isEqualTo(200);
        assertThat(shard.takeExpectedAside()).as("nothing since").isZero();
        shard.setAside(900);
        assertThat(shard.takeExpectedAside()).isEqualTo(1000);
    }

    @Test
    void the_window_is_wider_than_what_is_in_memory_or_nothing_new_would_be_seen() {
        assertThat(shard.window(80, 10, SECOND).limit()).isGreaterThan(80);
    }
}
