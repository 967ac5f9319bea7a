package io.outboxed.internal.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.relay.CrashSuspects;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.ReadWindow;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Where reading starts. While another transaction holds an old snapshot, a read steps over every row that was
 * acknowledged since then. From the start of the table, 150,000 of them cost 690 to 810 ms on MySQL; above a mark, 3 to 5
 * ms.
 */
class ShardCursorTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final ShardCursor shard =
            new ShardCursor(new Lease(7, "me", 1), CrashSuspects.none(), Duration.ofSeconds(15), 0);

    @Test
    void a_shard_is_read_from_its_start_at_first() {
        assertThat(window(SECOND).above()).isZero();
    }

    @Test
    void the_mark_lags_behind_what_was_seen_by_at_least_the_commit_lag() {
        shard.seen(1000);
        assertThat(window(14 * SECOND).above()).as("seen just now").isZero();

        window(16 * SECOND);
        window(17 * SECOND);
        shard.seen(5000);
        assertThat(window(31 * SECOND).above())
                .as("a late commit may still be below")
                .isZero();
        assertThat(window(33 * SECOND).above())
                .as("it is visible now, and read by this window")
                .isZero();
        assertThat(window(34 * SECOND).above()).isEqualTo(1000);
        window(50 * SECOND);
        assertThat(window(51 * SECOND).above()).isEqualTo(5000);
    }

    @Test
    void the_mark_does_not_pass_what_was_committed_while_nothing_was_read() {
        shard.seen(1000);
        window(16 * SECOND);
        window(17 * SECOND);

        assertThat(window(600 * SECOND).above())
                .as("after a pause of everything")
                .isZero();
    }

    @Test
    void the_mark_does_not_pass_a_row_for_which_there_was_no_room() {
        shard.seen(1000);
        window(16 * SECOND);
        window(17 * SECOND);
        shard.seen(5000);
        shard.leftBehind(700);

        window(33 * SECOND);
        assertThat(window(34 * SECOND).above()).isEqualTo(699);
        window(50 * SECOND);
        assertThat(window(51 * SECOND).above()).isEqualTo(699);
    }

    /** They were committed after the row above them was seen, and their number is greater than what fits into memory. */
    @Test
    void the_mark_does_not_pass_rows_that_no_page_has_reached_yet() {
        shard.seen(1000);
        for (int i = 1; i < 20; i++) {
            assertThat(window(10 * i * SECOND).above()).isLessThanOrEqualTo(700);
            shard.wasRead(700, true);
            shard.wasRead(Long.MAX_VALUE, false);
        }
    }

    @Test
    void a_full_read_that_ends_below_the_mark_does_not_move_it() {
        shard.seen(1000);
        for (int i = 1; i <= 4; i++) {
            window(16 * i * SECOND);
            shard.wasRead(1000, false);
        }
        assertThat(window(65 * SECOND).above()).isEqualTo(1000);

        assertThat(shard.fullWindow(0, 30, 2000, 65 * SECOND).above()).isZero();
        shard.wasRead(50, true);
        shard.wasRead(Long.MAX_VALUE, false);

        assertThat(window(66 * SECOND).above()).isEqualTo(1000);
    }

    @Test
    void full_reads_alone_move_the_mark_too_unless_they_end_below_it() {
        shard.seen(1000);
        for (int i = 1; i <= 4; i++) {
            assertThat(shard.fullWindow(0, 3000, 2000, 16 * i * SECOND).above()).isZero();
            shard.wasRead(1000, false);
        }
        assertThat(shard.isBelowMark(1000)).isTrue();
        shard.seen(5000);
        window(81 * SECOND);
        window(82 * SECOND);
        shard.fullWindow(0, 30, 9000, 98 * SECOND);
        shard.wasRead(50, true);
        shard.wasRead(Long.MAX_VALUE, false);

        window(99 * SECOND);
        assertThat(shard.isBelowMark(5000))
                .as("the rows above the old mark were not read since")
                .isFalse();
        window(100 * SECOND);
        assertThat(shard.isBelowMark(5000)).isTrue();
    }

    @Test
    void what_was_dropped_from_memory_is_read_again_from_the_start() {
        shard.seen(1000);
        window(16 * SECOND);
        window(17 * SECOND);
        window(33 * SECOND);
        assertThat(window(34 * SECOND).above()).isEqualTo(1000);

        shard.readAgain();
        assertThat(shard.needsRead).isTrue();
        assertThat(window(35 * SECOND).above()).isZero();
    }

    @Test
    void a_backlog_is_read_on_above_its_last_page_and_from_the_mark_when_a_row_may_be_late() {
        window(SECOND);
        shard.wasRead(500, true);
        assertThat(shard.window(10, 10, 2_000, SECOND + 1)).isEqualTo(new ReadWindow(7, 500, 10));
        assertThat(shard.wentBack()).isFalse();
        shard.wasRead(900, true);

        shard.mayHaveLate = true;
        ReadWindow back = shard.window(20, 10, 2_000, 2 * SECOND);
        assertThat(back).as("a late commit is below").isEqualTo(new ReadWindow(7, 0, 30));
        assertThat(shard.wentBack()).isTrue();
        shard.wasRead(900, true);
        assertThat(shard.window(20, 10, 2_000, 3 * SECOND).above())
                .as("only once")
                .isEqualTo(900);
    }

    @Test
    void a_backlog_is_read_on_no_farther_than_what_was_visible_before_its_first_page() {
        shard.window(0, 10, 600, SECOND);
        shard.wasRead(500, true);
        assertThat(shard.window(10, 10, 9_000, SECOND).above()).isEqualTo(500);

        assertThat(shard.mayBring(row(600))).isTrue();
        assertThat(shard.mayBring(row(601)))
                .as("it may have been written after a row that became visible below 500")
                .isFalse();
        shard.wasRead(600, true);

        assertThat(shard.needsRead).isTrue();
        assertThat(shard.window(20, 10, 9_000, SECOND).above()).isZero();
        assertThat(shard.mayBring(row(601))).as("reading starts at the mark").isTrue();
    }

    @Test
    void a_first_page_beyond_what_was_visible_is_not_read_on() {
        shard.window(0, 10, 400, SECOND);
        shard.wasRead(500, true);

        assertThat(shard.needsRead).isTrue();
        assertThat(shard.window(10, 10, 600, SECOND).above()).isZero();
    }

    @Test
    void after_the_last_page_reading_starts_at_the_mark_again_and_only_when_there_is_a_reason() {
        window(SECOND);
        shard.wasRead(500, true);
        assertThat(shard.wantsRead()).as("the page was full").isTrue();
        window(SECOND + 1);
        shard.wasRead(700, false);

        assertThat(shard.wantsRead()).isFalse();
        shard.needsRead = true;
        assertThat(window(SECOND + 2).above()).isZero();
        assertThat(shard.wentBack()).as("no backlog").isFalse();
    }

    @Test
    void a_signal_during_a_backlog_is_not_forgotten() {
        window(SECOND);
        shard.wasRead(500, true);
        shard.needsRead = true;
        window(SECOND + 1);
        shard.wasRead(700, false);

        assertThat(shard.wantsRead()).isTrue();
    }

    @Test
    void the_window_is_wider_than_what_is_in_memory_or_nothing_new_would_be_seen() {
        assertThat(shard.window(80, 10, 2_000, SECOND).limit()).isGreaterThan(80);
    }

    @Test
    void a_shard_that_cannot_leave_in_time_stays_and_does_not_try_again_at_once() {
        assertThat(shard.requestHandOver("other", 0)).isTrue();
        assertThat(shard.abortLeaving(SECOND / 2)).isFalse();
        assertThat(shard.abortLeaving(SECOND)).isTrue();
        assertThat(shard.isLeaving()).isFalse();

        assertThat(shard.requestHandOver("other", 5 * SECOND)).isFalse();
        assertThat(shard.requestHandOver("other", 10 * SECOND)).isTrue();
    }

    private ReadWindow window(long now) {
        return shard.window(10, 10, 2_000, now);
    }

    private static MessageHead row(long seq) {
        return new MessageHead(
                seq, new UUID(0, seq), 7, 1, "placed", "order", MessageState.READY, 0, 0, 0, 0, false, null, null);
    }
}
