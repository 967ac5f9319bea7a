package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.store.MessageHead;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CrashSuspectsTest {

    /** A shard with suspects is neither handed over nor released at a stop. */
    @Test
    void a_locked_one_remains_suspect_after_another_death() {
        CrashSuspects suspects = new CrashSuspects(0);
        MessageHead first = head(1);
        suspects.add(1, 1);
        suspects.counting(first);
        suspects.locked(first, true);
        suspects.counted(head(2));
        suspects.add(1, 2);

        assertThat(suspects.contains(first, 1)).as("its lane was locked before").isTrue();
        assertThat(suspects.contains(head(3), 1)).isFalse();
    }

    @Test
    void a_start_whose_answer_was_lost_is_still_taken_back_if_the_row_is_locked_afterwards() {
        CrashSuspects suspects = new CrashSuspects(5);
        MessageHead first = head(1);
        assertThat(suspects.counting(first)).isTrue();
        suspects.locked(first, suspects.counting(first));

        assertThat(suspects.open()).containsExactly(first);
    }

    @Test
    void one_dispatch_that_counts_more_than_is_left_exhausts_them() {
        CrashSuspects suspects = new CrashSuspects(3);

        for (int seq = 1; seq <= 5; seq++) {
            suspects.counted(head(seq));
        }

        assertThat(suspects.isExhausted()).isTrue();
        assertThat(suspects.contains(head(6))).isFalse();
    }

    @Test
    void the_next_death_brings_as_many_as_it_says_after_too_many_were_counted() {
        CrashSuspects suspects = new CrashSuspects(1);
        MessageHead second = head(2);
        suspects.counted(head(1));
        suspects.counted(second);

        suspects.add(1, 7);

        assertThat(suspects.isExhausted()).isFalse();
        assertThat(suspects.contains(second)).isFalse();
        assertThat(suspects.contains(head(3))).isTrue();
        suspects.counted(head(3));
        assertThat(suspects.isExhausted()).isTrue();
    }

    @Test
    void while_one_waits_for_its_turn_the_shard_is_not_clean_however_many_are_counted() {
        CrashSuspects suspects = new CrashSuspects(1);
        MessageHead waits = head(1);
        MessageHead gone = head(2);
        suspects.waits(waits);
        suspects.waits(gone);
        suspects.counted(head(3));

        assertThat(suspects.contains(waits)).isTrue();
        assertThat(suspects.contains(head(4))).isFalse();
        suspects.found(Set.of(gone.lane()), List.of(waits));
        assertThat(suspects.contains(gone)).isFalse();
        assertThat(suspects.isExhausted()).isFalse();
        suspects.counted(waits);
        assertThat(suspects.isExhausted()).isTrue();
    }

    @Test
    void a_number_that_the_database_gives_again_is_another_message() {
        CrashSuspects suspects = new CrashSuspects(3);
        suspects.counting(head(1));
        suspects.counted(head(1));

        assertThat(suspects.contains(head(1))).isTrue();
    }

    private static MessageHead head(long seq) {
        return new MessageHead(
                seq, UUID.randomUUID(), 0, seq, "placed", "order", MessageState.READY, 0, 1, 0, 1, false, null, null);
    }
}
