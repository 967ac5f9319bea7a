package io.outboxed.internal.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.metrics.RecordingBackend;
import io.outboxed.internal.relay.WriterOrder;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.MessageBody;
import io.outboxed.internal.store.MessageHead;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class WriterOrderTest {
    private static final String LARGE = "x".repeat(MessageHead.BODY_READ_ALONG + 1);

    private final RecordingBackend metrics = new RecordingBackend();
    private final MemoryStore store = new MemoryStore(() -> 0);
    private final WriterOrder order = new WriterOrder(store.ports().reads(), new OutboxMeters(metrics, "shop", true));
    private final Lane lane = new Lane(1, 1, 0);

    @Test
    void an_event_that_is_seen_after_a_later_one_of_its_aggregate_is_reported() {
        seen(event(2, "order", "o-1"));
        seen(event(1, "order", "o-1"));
        seen(event(3, "order", "o-1"));

        assertThat(reported()).isEqualTo(1);
    }

    @Test
    void another_aggregate_of_the_same_lane_is_not_reported() {
        seen(event(5, "order", "o-1"));
        seen(event(4, "order", "o-2"));
        seen(event(3, "invoice", "o-1"));

        assertThat(reported()).isZero();
    }

    @Test
    void events_without_an_aggregate_have_no_order() {
        seen(event(2, "", ""));
        seen(event(1, "", ""));
        seen(event(4, null, null));
        seen(event(3, null, null));

        assertThat(reported()).isZero();
    }

    @Test
    void a_replay_is_neither_reported_nor_does_it_cause_a_report() {
        seen(event(2, "order", "o-1"));
        seen(replay(1, "order", "o-1"));
        seen(replay(9, "order", "o-1"));
        seen(event(8, "order", "o-1"));

        assertThat(reported()).isZero();
    }

    @Test
    void a_row_that_is_read_again_is_not_reported() {
        seen(event(1, "order", "o-1"));
        seen(event(1, "order", "o-1"));

        assertThat(reported()).isZero();
    }

    @Test
    void a_row_that_another_node_has_written_in_the_meantime_is_not_reported() {
        seen(event(1, "order", "o-1"));
        seen(event(2, "order", "o-1"));
        seen(event(1, "order", "o-1").withVersion(1));

        assertThat(reported()).isZero();
    }

    @Test
    void after_an_error_lower_numbers_are_not_reported() {
        seen(event(9, "order", "o-1"));
        lane.forgetNumbers();
        seen(event(8, "order", "o-1"));

        assertThat(reported()).isZero();
    }

    @Test
    void the_aggregates_of_large_events_are_read() {
        MessageHead first = stored();
        MessageHead second = stored();
        seen(second);
        seen(first);

        assertThat(reported()).isEqualTo(1);
    }

    @Test
    void if_the_later_event_is_gone_nothing_is_reported() {
        MessageHead first = stored();
        MessageHead second = stored();
        seen(second);
        store.rollback(second);
        seen(first);

        assertThat(reported()).isZero();
    }

    private void seen(MessageHead head) {
        lane.append(head).ifPresent(later -> order.report(List.of(new WriterOrder.Overtaken(head, later))));
    }

    private long reported() {
        return metrics.count("outbox.messages.out.of.order{}");
    }

    private MessageHead stored() {
        return store.insert(UUID.randomUUID(), "placed", 1, 0, 0, LARGE);
    }

    private static MessageHead event(long seq, String aggregateType, String aggregateId) {
        return head(seq, aggregateType, aggregateId, null);
    }

    private static MessageHead replay(long seq, String aggregateType, String aggregateId) {
        return head(seq, aggregateType, aggregateId, "mail");
    }

    private static MessageHead head(long seq, String aggregateType, String aggregateId, String onlyHandler) {
        UUID id = new UUID(0, seq);
        MessageBody body =
                new MessageBody(seq, id, aggregateType, aggregateId, Instant.EPOCH, Duration.ZERO, null, "{}", null);
        return new MessageHead(
                seq, id, 1, 1, "placed", aggregateType, MessageState.READY, 0, 0, 2, 0, false, onlyHandler, body);
    }
}
