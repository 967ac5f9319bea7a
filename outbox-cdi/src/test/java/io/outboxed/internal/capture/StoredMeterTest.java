package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.EventType;
import io.outboxed.PublishOptions;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.metrics.RecordingBackend;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What counts as stored: messages of committed transactions. */
class StoredMeterTest {
    private static final String STORED = "outbox.messages.stored{event.type=rung}";

    @EventType("rung")
    public record Rung(int times) {}

    private final RecordingBackend figures = new RecordingBackend();
    private final CaptureFixture door = new CaptureFixture();

    @BeforeEach
    void measure() {
        door.outbox.meters = new OutboxMeters(figures, "shop", true);
    }

    @Test
    void each_message_of_a_transaction_counts_when_it_has_committed() {
        door.transaction.begin();
        door.outbox.publish(new Rung(1), PublishOptions.none());
        door.outbox.publish(new Rung(2), PublishOptions.none());
        assertThat(figures.count(STORED)).isZero();

        door.transaction.commit();

        assertThat(figures.count(STORED)).isEqualTo(2);
    }

    @Test
    void what_is_rolled_back_does_not_count() {
        door.transaction.begin();
        door.outbox.publish(new Rung(1), PublishOptions.none());
        door.transaction.rollback();

        assertThat(figures.count(STORED)).isZero();
    }
}
