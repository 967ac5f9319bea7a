package io.outboxed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EventBatchTest {
    private static final OutboxMessage MESSAGE = new OutboxMessage(
            new UUID(0, 1), "order.placed", "order", "o-1", 1, Instant.EPOCH, Map.of(), "{\"secret\":1}", null);

    @Test
    void it_keeps_its_own_unmodifiable_lists() {
        List<String> events = new ArrayList<>(List.of("a"));
        EventBatch<String> batch = new EventBatch<>(events, List.of(MESSAGE));
        events.add("b");

        assertThat(batch.events()).containsExactly("a");
        assertThatThrownBy(() -> batch.events().add("b")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> batch.messages().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void it_has_at_least_one_event_and_an_envelope_for_each() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EventBatch<>(List.of(), List.of()))
                .withMessage("0 events and 0 messages: expected one of each, or more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EventBatch<>(List.of("a", "b"), List.of(MESSAGE)))
                .withMessageStartingWith("2 events and 1 messages");
    }

    @Test
    void its_text_holds_no_payload() {
        assertThat(new EventBatch<>(List.of("secret"), List.of(MESSAGE)).toString())
                .contains("order.placed order/o-1")
                .doesNotContain("secret");
    }
}
