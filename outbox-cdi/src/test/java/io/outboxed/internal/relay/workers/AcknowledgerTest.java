package io.outboxed.internal.relay.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.store.Ack;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.ClaimLostException;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.Ports;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.Lease;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** The order in which successes are recorded while a row is locked or rejected. */
class AcknowledgerTest {
    private long now;
    private final MemoryStore memory = new MemoryStore(() -> now / 1000);
    private final Set<Long> locked = new HashSet<>();
    private final Set<Long> rejected = new HashSet<>();
    /** The database does not answer if one of them is to be recorded. */
    private final Set<Long> unanswered = new HashSet<>();
    /** There is no memory left if one of them is to be recorded. */
    private final Set<Long> tooLarge = new HashSet<>();
    /** Their rows lack what was counted before. */
    private final Set<Long> lacking = new HashSet<>();

    private boolean outOfMemory;
    private boolean diskIsFull;
    private final BlockingQueue<Call> successes = new LinkedBlockingQueue<>() {
        @Override
        public int drainTo(Collection<? super Call> target, int most) {
            if (outOfMemory) {
                throw new OutOfMemoryError("in a test");
            }
            return super.drainTo(target, most);
        }
    };
    private final List<Long> recorded = new ArrayList<>();
    private final List<Long> lost = new ArrayList<>();
    private final Acknowledger acknowledger = new Acknowledger(store().acks(), successes, 10, this::ended, () -> now);

    @Test
    void a_held_row_holds_up_the_later_ones_of_its_lane_and_no_others() throws InterruptedException {
        success(1);
        success(1);
        success(2);
        locked.add(1L);
        acknowledger.acknowledgeNext(0);
        assertThat(recorded).containsExactly(3L);

        success(1);
        success(2);
        acknowledger.acknowledgeNext(0);
        assertThat(recorded).containsExactly(3L, 5L);
        assertThat(acknowledger.isIdle()).isFalse();

        locked.clear();
        now += Duration.ofSeconds(1).toNanos();
        acknowledger.acknowledgeNext(0);
        assertThat(recorded).containsExactly(3L, 5L, 1L, 2L, 4L);
        assertThat(acknowledger.isIdle()).isTrue();
    }

    @Test
    void a_row_that_stays_held_keeps_the_order_behind_it() throws InterruptedException {
        success(1);
        success(1);
        locked.add(1L);
        acknowledger.acknowledgeNext(0);
        now += Duration.ofSeconds(1).toNanos();
        acknowledger.acknowledgeNext(0);
        assertThat(recorded).isEmpty();

        locked.clear();
        now += Duration.ofSeconds(1).toNanos();
        acknowledger.acknowledgeNext(0);
        assertThat(recorded).containsExactly(1L, 2L);
    }

    @Test
    void a_row_that_is_rejected_for_good_holds_up_only_its_own_lane() throws InterruptedException {
        success(1);
        success(1);
        success(2);
        rejected.add(1L);
        assertThat(acknowledger.acknowledgeNext(0)).isTrue();
        assertThat(recorded).containsExactly(3L);

        success(1);
        success(2);
        now += Duration.ofSeconds(4).toNanos();
        acknowledger.acknowledgeNext(0);
        assertThat(recorded).containsExactly(3L, 5L);

        now += Duration.ofSeconds(1).toNanos();
        acknowledger.acknowledgeNext(0);
        assertThat(recorded).containsExactly(3L, 5L);
        assertThat(acknowledger.isIdle()).isFalse();

        rejected.clear();
        now += Duration.ofSeconds(5).toNanos();
        acknowledger.acknowledgeNext(0);
        assertThat(recorded).containsExactly(3L, 5L, 1L, 2L, 4L);
        assertThat(acknowledger.isIdle()).isTrue();
    }

    @Test
    void a_row_that_is_rejected_for_good_is_logged_once() throws InterruptedException {
        success(1);
        rejected.add(1L);
        try (CapturedLog log = new CapturedLog()) {
            for (int i = 0; i < 3; i++) {
                acknowledger.acknowledgeNext(0);
                now += Duration.ofSeconds(5).toNanos();
            }
            assertThat(log.lines).singleElement().asString().startsWith("SEVERE OUTBOX-0468");
        }
    }

    @Test
    void a_row_that_has_lost_an_earlier_success_is_reported_and_holds_up_nothing() throws InterruptedException {
        success(1);
        success(2);
        success(1);
        lacking.add(1L);

        assertThat(acknowledger.acknowledgeNext(0)).isTrue();

        assertThat(lost).containsExactly(1L);
        assertThat(recorded).containsExactly(2L, 3L);
        assertThat(acknowledger.isIdle()).isTrue();
    }

    /** The database has answered. */
    @Test
    void an_outage_is_over_when_a_row_is_found_to_have_lost_an_earlier_success() throws InterruptedException {
        success(1);
        lacking.add(1L);
        assertThatAnOutageIsOverAfterALoss();
    }

    @Test
    void so_it_is_if_another_row_is_held() throws InterruptedException {
        success(1);
        success(2);
        lacking.add(1L);
        locked.add(2L);
        assertThatAnOutageIsOverAfterALoss();
    }

    /** A full disk, a right that was revoked: not a line for each row, and not a statement for each of them. */
    @Test
    void what_the_database_refuses_for_all_rows_is_an_outage() throws InterruptedException {
        success(1);
        success(2);
        diskIsFull = true;
        try (CapturedLog log = new CapturedLog()) {
            assertThat(acknowledger.acknowledgeNext(0)).isFalse();
            assertThat(log.lines).noneMatch(line -> line.contains("OUTBOX-0468"));
        }
        diskIsFull = false;
        assertThat(acknowledger.acknowledgeNext(0)).isTrue();
        assertThat(recorded).containsExactly(1L, 2L);
    }

    @Test
    void a_success_that_was_taken_when_the_thread_failed_is_recorded_by_the_next_one() throws InterruptedException {
        success(1);
        success(2);
        outOfMemory = true;
        assertThatThrownBy(() -> acknowledger.acknowledgeNext(0)).isInstanceOf(OutOfMemoryError.class);
        outOfMemory = false;

        acknowledger.acknowledgeNext(0);
        acknowledger.acknowledgeNext(0);

        assertThat(recorded).containsExactly(1L, 2L);
    }

    @Test
    void an_outage_in_the_middle_keeps_the_order_behind_a_held_row() throws InterruptedException {
        success(1);
        success(2);
        success(1);
        locked.add(1L);
        unanswered.add(2L);
        assertThat(acknowledger.acknowledgeNext(0)).isFalse();

        unanswered.clear();
        acknowledger.acknowledgeNext(0);
        assertThat(recorded).containsExactly(2L);

        locked.clear();
        now += Duration.ofSeconds(1).toNanos();
        acknowledger.acknowledgeNext(0);
        assertThat(recorded).containsExactly(2L, 1L, 3L);
        assertThat(acknowledger.isIdle()).isTrue();
    }

    @Test
    void an_error_in_the_middle_keeps_the_order_behind_a_held_row_and_repeats_no_report() throws InterruptedException {
        success(1);
        success(2);
        success(3);
        success(1);
        locked.add(1L);
        tooLarge.add(3L);
        assertThatThrownBy(() -> acknowledger.acknowledgeNext(0)).isInstanceOf(OutOfMemoryError.class);
        assertThat(recorded).containsExactly(2L);

        tooLarge.clear();
        acknowledger.acknowledgeNext(0);
        assertThat(recorded).containsExactly(2L, 3L);

        locked.clear();
        now += Duration.ofSeconds(1).toNanos();
        acknowledger.acknowledgeNext(0);
        assertThat(recorded).containsExactly(2L, 3L, 1L, 4L);
        assertThat(acknowledger.isIdle()).isTrue();
    }

    private void assertThatAnOutageIsOverAfterALoss() throws InterruptedException {
        try (CapturedLog log = new CapturedLog()) {
            diskIsFull = true;
            assertThat(acknowledger.acknowledgeNext(0)).isFalse();
            diskIsFull = false;
            assertThat(acknowledger.acknowledgeNext(0)).isTrue();

            assertThat(log.lines).anyMatch(line -> line.startsWith("INFO OUTBOX-0432"));
        }
        assertThat(lost).containsExactly(1L);
    }

    private void ended(List<Call> batch, Outcome outcome) {
        List<Long> all = outcome instanceof Outcome.Lost ? lost : recorded;
        batch.forEach(call -> all.add(call.delivery().head().seq()));
    }

    private void success(long key) {
        MessageHead head = memory.insert(UUID.randomUUID(), "mailed", key, 1, 0, "fine");
        Lease lease = new Lease(head.shard(), "me", 1);
        successes.add(new Call(() -> false, new Delivery(head, null, "mail", 1, AckMode.DELETE_MESSAGE), lease, null));
    }

    private RelayStore store() {
        return Ports.through((proxy, method, arguments) -> {
            if (method.getName().equals("acknowledge")) {
                refuse((List<?>) arguments[0]);
            }
            return Ports.call(memory.ports(), method, arguments);
        });
    }

    /** As MySQL reports it: lock wait timeout exceeded; a row is referenced by a foreign key. */
    private void refuse(List<?> rows) {
        if (diskIsFull) {
            throw new StoreException("no room", false, new SQLException("The table is full", "HY000", 1114));
        }
        if (contain(rows, locked)) {
            throw new StoreException("held", true, new SQLException("Lock wait timeout exceeded", "HY000", 1205));
        }
        if (contain(rows, unanswered)) {
            throw new StoreException("cut", true, new SQLException("Communications link failure", "08S01", 0));
        }
        if (contain(rows, tooLarge)) {
            throw new OutOfMemoryError("in a test");
        }
        if (contain(rows, lacking)) {
            throw new ClaimLostException("what was committed is lost");
        }
        if (contain(rows, rejected)) {
            throw new StoreException("rejected", false, new SQLException("a foreign key fails", "23000", 1451));
        }
    }

    private static boolean contain(List<?> rows, Set<Long> seqs) {
        return rows.stream().anyMatch(row -> seqs.contains(((Ack) row).head().seq()));
    }
}
