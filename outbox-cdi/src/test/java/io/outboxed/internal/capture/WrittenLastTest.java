package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.AggregateId;
import io.outboxed.EventType;
import io.outboxed.OutboxException;
import io.outboxed.PublishOptions;
import io.outboxed.internal.hibernate.OutboxRow;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WrittenLastTest {

    @EventType("order.placed")
    public record Placed(@AggregateId String id) {}

    private final CaptureFixture door = new CaptureFixture();
    private final List<String> order = new ArrayList<>();

    WrittenLastTest() {
        door.onWrite(rows -> {
            rows.forEach(row -> order.add("row " + row.aggregateId()));
            door.written.addAll(rows);
        });
    }

    @Test
    void rows_are_written_after_a_flush_that_was_registered_later() {
        door.transaction.begin();
        door.outbox.publish(new Placed("1"));
        door.outbox.publish(new Placed("2"));
        beforeCompletion(() -> order.add("business flush"));

        door.transaction.commit();

        assertThat(order).containsExactly("business flush", "row 1", "row 2");
    }

    @Test
    void what_a_flush_publishes_is_written_with_the_rest() {
        door.transaction.begin();
        door.outbox.publish(new Placed("1"));
        beforeCompletion(() -> door.outbox.publish(new Placed("listener")));

        door.transaction.commit();

        assertThat(order).containsExactly("row 1", "row listener");
    }

    @Test
    void the_first_event_of_a_transaction_may_come_from_a_flush() {
        door.transaction.begin();
        beforeCompletion(() -> door.outbox.publish(new Placed("listener")));

        door.transaction.commit();

        assertThat(order).containsExactly("row listener");
    }

    @Test
    void what_is_published_after_the_rows_were_written_is_written_at_once() {
        door.transaction.begin();
        door.outbox.publish(new Placed("1"));
        beforeCompletion(() -> beforeCompletion(() -> beforeCompletion(() -> {
            door.outbox.publish(new Placed("late"));
            order.add("still before the commit");
        })));

        door.transaction.commit();

        assertThat(order).containsExactly("row 1", "row late", "still before the commit");
        assertThat(door.signalled).hasSize(1);
    }

    @Test
    void a_rollback_writes_and_signals_nothing() {
        door.transaction.begin();
        door.outbox.publish(new Placed("1"));
        door.transaction.rollback();

        assertThat(door.written).isEmpty();
        assertThat(door.signalled).isEmpty();
    }

    @Test
    void a_commit_that_failed_before_the_rows_writes_nothing() {
        door.transaction.begin();
        door.outbox.publish(new Placed("1"));

        door.transaction.commitAfterAFailedFlush();

        assertThat(door.written).isEmpty();
        assertThat(door.signalled).isEmpty();
    }

    /** It would be committed without its rows. */
    @Test
    void a_transaction_that_is_completed_by_a_thread_without_it_fails() {
        door.transaction.begin();
        door.outbox.publish(new Placed("1"));

        assertThatThrownBy(door.transaction::commitOnAnotherThread)
                .hasMessageStartingWith("the transaction is completed by the thread "
                        + Thread.currentThread().getName());
        assertThat(door.written).isEmpty();
    }

    @Test
    void a_refused_insert_fails_the_commit_and_says_what_is_lost() {
        IllegalStateException refused = new IllegalStateException("table is full");
        door.onWrite(rows -> {
            throw refused;
        });
        door.transaction.begin();
        door.outbox.publish(new Placed("1"));

        assertThatThrownBy(door.transaction::commit)
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0113 1 outbox row could not be written")
                .hasCause(refused);
        assertThat(door.signalled).isEmpty();
    }

    @Test
    void a_late_event_that_can_not_be_written_fails_the_commit_even_if_its_publisher_ignores_that() {
        door.onWrite(rows -> {
            if (rows.get(0).aggregateId().equals("late")) {
                throw new IllegalStateException("deadlock");
            }
        });
        door.transaction.begin();
        door.outbox.publish(new Placed("1"));
        beforeCompletion(() -> beforeCompletion(() -> beforeCompletion(() -> {
            assertThatThrownBy(() -> door.outbox.publish(new Placed("late"))).hasMessageStartingWith("OUTBOX-0113");
        })));

        door.transaction.commit();

        assertThat(door.signalled).as("rolled back").isEmpty();
    }

    @Test
    void an_error_while_rows_are_written_marks_the_transaction_for_rollback() {
        door.onWrite(rows -> {
            if (rows.get(0).aggregateId().equals("late")) {
                throw new StackOverflowError("in a driver");
            }
        });
        door.transaction.begin();
        door.outbox.publish(new Placed("1"));
        beforeCompletion(() -> beforeCompletion(() -> beforeCompletion(() -> {
            assertThatThrownBy(() -> door.outbox.publish(new Placed("late"))).isInstanceOf(StackOverflowError.class);
        })));

        door.transaction.commit();

        assertThat(door.signalled).as("rolled back").isEmpty();
    }

    /** Payara's commit does not end a transaction in which a synchronization ends in an error. */
    @Test
    void an_error_at_the_end_of_a_transaction_is_no_error_for_the_transaction_manager() {
        door.onWrite(rows -> {
            throw new StackOverflowError("in a driver");
        });
        door.transaction.begin();
        door.outbox.publish(new Placed("1"));

        assertThatThrownBy(door.transaction::commit)
                .isInstanceOf(IllegalStateException.class)
                .hasCauseInstanceOf(StackOverflowError.class);
        assertThat(door.signalled).isEmpty();
    }

    /** A codec that takes long, and a server that ends the transaction in its own thread when its time is over. */
    @Test
    void an_event_of_a_transaction_that_ends_meanwhile_is_neither_stored_nor_cancelled() {
        door.transaction.begin();
        UUID first = door.outbox.publish(new Placed("1"));
        TransactionRows rows = TransactionRows.begun(door.transaction).orElseThrow();
        OutboxRow row = door.outbox.factory.row(new Placed("2"), PublishOptions.none());
        door.transaction.rollback();

        assertThatThrownBy(() -> rows.add(row, 0))
                .hasMessageStartingWith("OUTBOX-0102 the transaction ended while the event order.placed was published");
        assertThatThrownBy(() -> rows.remove(first))
                .hasMessageStartingWith(
                        "OUTBOX-0102 the transaction ended while the event " + first + " was cancelled");
    }

    @Test
    void events_of_two_threads_in_one_transaction_are_all_written() throws Exception {
        door.transaction.begin();
        door.outbox.publish(new Placed("1"));
        TransactionRows rows = TransactionRows.begun(door.transaction).orElseThrow();
        OutboxRow row = door.outbox.factory.row(new Placed("2"), PublishOptions.none());
        Thread other = new Thread(() -> IntStream.range(0, 20_000).forEach(i -> rows.add(row, 0)));
        other.start();
        IntStream.range(0, 20_000).forEach(i -> rows.add(row, 0));
        other.join();

        door.transaction.commit();

        assertThat(door.written).hasSize(40_001);
    }

    @Test
    void two_threads_that_publish_first_in_one_transaction_share_its_rows() throws Exception {
        door.transaction.begin();
        AtomicReference<UUID> second = new AtomicReference<>();
        Thread other = new Thread(() -> second.set(door.outbox.publish(new Placed("2"))));
        door.transaction.onRegister = () -> {
            door.transaction.onRegister = () -> {};
            other.start();
            while (other.getState() != Thread.State.BLOCKED && other.getState() != Thread.State.TERMINATED) {
                Thread.onSpinWait();
            }
        };

        UUID first = door.outbox.publish(new Placed("1"));
        other.join();

        assertThat(door.outbox.cancel(first)).isTrue();
        assertThat(door.outbox.cancel(second.get())).isTrue();
        door.transaction.commit();
        assertThat(door.written).isEmpty();
    }

    @Test
    void the_commit_signals_each_shard_once() {
        door.transaction.begin();
        door.outbox.publish(new Placed("1"));
        door.outbox.publish(new Placed("1"));
        door.outbox.publish(new Placed("2"));

        door.transaction.commit();

        assertThat(door.signalled)
                .containsExactly(
                        Set.of(door.written.get(0).shard(), door.written.get(2).shard()));
    }

    @Test
    void a_listener_that_fails_harms_neither_the_commit_nor_the_next_transaction() {
        door.outbox.signal.listen(shards -> {
            throw new IllegalStateException("listener");
        });

        door.stored(new Placed("1"));
        door.stored(new Placed("2"));

        assertThat(door.written).hasSize(2);
    }

    @Test
    void each_transaction_has_rows_of_its_own() {
        door.stored(new Placed("1"));
        door.stored(new Placed("2"));

        assertThat(door.written).extracting(OutboxRow::aggregateId).containsExactly("1", "2");
    }

    @Test
    void without_a_transaction_the_caller_is_told_what_to_do() {
        assertThatThrownBy(() -> door.outbox.publish(new Placed("1")))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0101")
                .hasMessageContaining("@Transactional");
    }

    @Test
    void a_transaction_that_is_marked_for_rollback_or_ends_takes_no_event() {
        for (int status : List.of(Status.STATUS_MARKED_ROLLBACK, Status.STATUS_COMMITTING, Status.STATUS_COMMITTED)) {
            door.transaction.status(status);
            assertThatThrownBy(() -> door.outbox.publish(new Placed("1")))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageStartingWith("OUTBOX-0102");
        }
    }

    private void beforeCompletion(Runnable work) {
        door.transaction.registerInterposedSynchronization(new Synchronization() {
            @Override
            public void beforeCompletion() {
                work.run();
            }

            @Override
            public void afterCompletion(int status) {}
        });
    }
}
