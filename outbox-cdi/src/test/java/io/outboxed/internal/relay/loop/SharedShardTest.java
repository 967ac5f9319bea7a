package io.outboxed.internal.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.relay.CrashSuspects;
import io.outboxed.internal.store.ReadWindow;
import io.outboxed.internal.store.cluster.Lease;
import org.junit.jupiter.api.Test;

/** How a pass over the backlog of several nodes goes on. */
class SharedShardTest {
    private final SharedShard shard = new SharedShard(new Lease(7, "me", 1), CrashSuspects.none(), 0);

    private ReadWindow read(long last, boolean full, boolean broughtAny) {
        ReadWindow window = shard.window(0, 10, 2_000, 0);
        shard.brought(broughtAny);
        shard.wasRead(last, full);
        return window;
    }

    @Test
    void a_page_from_the_start_interrupts_a_pass_and_does_not_begin_it_again() {
        shard.mayReadOn(true, false);
        read(500, true, true);
        assertThat(read(900, true, true).above()).isEqualTo(500);

        shard.mayHaveLate = true;
        assertThat(read(100, true, true).above()).isZero();
        assertThat(shard.wentBack()).isTrue();
        assertThat(read(1_300, true, true).above()).isEqualTo(900);
    }

    @Test
    void however_often_rows_may_be_late_every_other_page_is_one_of_the_pass() {
        shard.mayReadOn(true, false);
        read(500, true, true);
        shard.mayHaveLate = true;
        read(100, true, true);
        shard.mayHaveLate = true;
        assertThat(read(900, true, true).above()).isEqualTo(500);
        assertThat(read(100, true, true).above()).isZero();
    }

    @Test
    void after_a_page_that_brought_nothing_the_pass_waits_for_its_time() {
        shard.mayReadOn(true, false);
        read(500, true, false);
        assertThat(shard.wantsRead()).isFalse();
        shard.mayReadOn(true, false);
        assertThat(shard.wantsRead()).isFalse();
        assertThat(shard.isUnfinished()).isTrue();

        shard.mayReadOn(true, true);
        assertThat(shard.wantsRead()).isTrue();
        assertThat(read(900, true, true).above()).isEqualTo(500);
        assertThat(shard.wantsRead()).as("this one brought something").isTrue();
    }

    @Test
    void without_room_for_claims_a_signal_reads_the_first_rows_and_the_pass_stays_where_it_is() {
        shard.mayReadOn(true, false);
        read(500, true, true);
        shard.mayReadOn(false, false);
        assertThat(shard.wantsRead()).isFalse();

        shard.needsRead = true;
        assertThat(shard.wantsRead()).isTrue();
        assertThat(read(100, true, true).above()).isZero();
        assertThat(shard.wantsRead()).isFalse();
        shard.mayReadOn(true, false);
        assertThat(read(900, true, true).above()).isEqualTo(500);
    }

    @Test
    void a_fruitless_pass_that_has_ended_before_the_last_row_begins_again_in_its_time() {
        read(2_000, true, false);
        assertThat(shard.wantsRead()).isFalse();
        assertThat(shard.isUnfinished()).isTrue();
        shard.mayReadOn(true, true);
        assertThat(read(2_500, false, false).above()).isZero();
        assertThat(shard.isUnfinished()).isFalse();
    }
}
