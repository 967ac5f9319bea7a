package io.outboxed.internal.relay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.relay.SilentLog;
import io.outboxed.internal.store.InboxRetention;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SilentLog.class)
class InboxCleanerTest {
    private static final Duration RETENTION = Duration.ofDays(30);

    private long now = Duration.ofHours(1).toNanos();
    private boolean ours = true;
    private boolean fails;
    private int old;
    private int batches;
    private final InboxRetention inbox = (age, most) -> {
        assertThat(age).isEqualTo(RETENTION);
        batches++;
        now += Duration.ofMillis(10).toNanos();
        if (fails) {
            throw new StoreException("no answer from the network", true, null);
        }
        int deleted = Math.min(old, most);
        old -= deleted;
        return deleted;
    };
    private final InboxCleaner cleaner = new InboxCleaner(inbox, () -> ours, RETENTION, () -> now);

    @Test
    void with_little_to_delete_there_is_one_batch_a_minute() {
        old = 10;
        runFor(Duration.ofMinutes(10));

        assertThat(old).isZero();
        assertThat(batches).isBetween(9, 11);
    }

    @Test
    void many_rows_are_deleted_in_batches_with_pauses_between_them() {
        old = 100 * InboxCleaner.BATCH;
        runFor(Duration.ofMillis(1010));
        assertThat(batches).as("a fifth of the time").isBetween(19, 22);

        runFor(Duration.ofSeconds(10));
        assertThat(old).isZero();
    }

    @Test
    void a_node_that_does_not_hold_the_shard_deletes_nothing() {
        ours = false;
        old = 10;
        runFor(Duration.ofMinutes(10));

        assertThat(batches).isZero();
    }

    @Test
    void a_failure_is_followed_by_another_attempt_a_minute_later() {
        fails = true;
        old = 10;
        runFor(Duration.ofMinutes(5));
        assertThat(batches).isBetween(4, 6);

        fails = false;
        runFor(Duration.ofMinutes(2));
        assertThat(old).isZero();
    }

    private void runFor(Duration time) {
        long end = now + time.toNanos();
        while (now < end) {
            now += cleaner.round();
        }
    }
}
