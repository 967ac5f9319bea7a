package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outboxed.AggregateId;
import io.outboxed.EventType;
import io.outboxed.OutboxException;
import io.outboxed.PublishOptions;
import io.outboxed.internal.hibernate.OutboxRow;
import jakarta.transaction.Status;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CancelTest {

    @EventType("order.placed")
    public record Placed(@AggregateId String id) {}

    private final CaptureFixture door = new CaptureFixture();

    @Test
    void an_event_of_this_transaction_is_cancelled_before_its_row_is_written() {
        door.transaction.begin();
        UUID kept = door.outbox.publish(new Placed("1"));
        UUID plain = door.outbox.publish(new Placed("2"));
        UUID delayed =
                door.outbox.publish(new Placed("3"), PublishOptions.none().delay(Duration.ofHours(1)));

        assertThat(door.outbox.cancel(plain)).isTrue();
        assertThat(door.outbox.cancel(delayed)).isTrue();
        assertThat(door.outbox.cancel(plain)).as("once").isFalse();

        door.transaction.commit();
        assertThat(door.written).extracting(OutboxRow::id).containsExactly(kept);
        assertThat(door.signalled).hasSize(1);
    }

    @Test
    void if_all_events_of_a_transaction_are_cancelled_nothing_is_written_and_no_relay_is_woken() {
        door.transaction.begin();
        door.outbox.cancel(door.outbox.publish(new Placed("1")));

        door.transaction.commit();

        assertThat(door.written).isEmpty();
        assertThat(door.signalled).isEmpty();
    }

    @Test
    void the_database_decides_about_the_events_of_other_transactions() {
        UUID delayed = UUID.randomUUID();
        door.cancellable.add(delayed);
        door.transaction.begin();

        assertThat(door.outbox.cancel(delayed)).isTrue();
        assertThat(door.outbox.cancel(UUID.randomUUID())).isFalse();
    }

    @Test
    void an_event_whose_row_is_written_is_left_to_the_database() {
        door.transaction.begin();
        UUID event = door.outbox.publish(new Placed("1"));
        door.onWrite(rows -> assertThat(door.outbox.cancel(event)).isFalse());

        door.transaction.commit();
    }

    @Test
    void an_error_of_the_database_marks_the_transaction_for_rollback() {
        RuntimeException deadlock = new IllegalStateException("deadlock");
        UUID event = UUID.randomUUID();
        door.onCancel = () -> {
            throw deadlock;
        };
        door.transaction.begin();

        assertThatThrownBy(() -> door.outbox.cancel(event))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0119 the event " + event)
                .hasCause(deadlock);
        assertThat(door.transaction.getTransactionStatus()).isEqualTo(Status.STATUS_MARKED_ROLLBACK);
        assertThatThrownBy(() -> door.outbox.cancel(event)).hasMessageStartingWith("OUTBOX-0102");
    }

    @Test
    void the_message_of_a_failed_cancellation_says_whether_to_repeat_the_transaction() {
        assertThat(adviceAfter(new SQLException("changed since last read", "HY000", 1020)))
                .endsWith("changed after this transaction took its snapshot): retry the whole transaction");
        assertThat(adviceAfter(new SQLException("lock wait timeout", "HY000", 1205)))
                .endsWith("held a row for longer than the lock timeout: retry the whole transaction");
        assertThat(adviceAfter(new SQLException("canceling statement", "57014")))
                .endsWith("probably because of a statement timeout: retry the whole transaction");
        assertThat(adviceAfter(new SQLException("gone", "08S01")))
                .endsWith("The connection was lost: retry the whole transaction");
        assertThat(adviceAfter(new SQLException("no such table", "42S02", 1146)))
                .endsWith("The cause contains the database's error. Retry the whole transaction only if that can help");
    }

    private String adviceAfter(SQLException reported) {
        door.onCancel = () -> {
            throw new IllegalStateException(reported);
        };
        door.transaction.begin();
        String message =
                catchThrowable(() -> door.outbox.cancel(UUID.randomUUID())).getMessage();
        door.transaction.rollback();
        return message;
    }

    @Test
    void without_a_transaction_or_an_id_nothing_is_cancelled() {
        assertThatThrownBy(() -> door.outbox.cancel(UUID.randomUUID())).hasMessageStartingWith("OUTBOX-0101");
        door.transaction.begin();
        assertThatNullPointerException().isThrownBy(() -> door.outbox.cancel(null));
    }
}
