package io.outboxed.internal.handlers.invocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.AnyEvent;
import io.outboxed.Delivered;
import io.outboxed.EventType;
import io.outboxed.OutboxMessage;
import io.outboxed.internal.store.HandlerKey;
import jakarta.enterprise.inject.Any;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The qualifiers with which an event is delivered. */
class DeliveredEventTest {
    private static final OutboxMessage MESSAGE =
            new OutboxMessage(UUID.randomUUID(), "stock.low", "", "", 1, Instant.EPOCH, Map.of(), "{}", null);

    @Test
    void a_message_has_its_type_and_for_a_handler_of_any_type_that_qualifier_too() {
        assertThat(DeliveredEvent.of(handler("stock.low", OutboxMessage.class), MESSAGE)
                        .qualifiers())
                .containsExactlyInAnyOrder(
                        Any.Literal.INSTANCE, Delivered.Literal.INSTANCE, EventType.Literal.of("stock.low"));
        assertThat(DeliveredEvent.of(handler(HandlerKey.ANY_TYPE, OutboxMessage.class), MESSAGE)
                        .qualifiers())
                .containsExactlyInAnyOrder(
                        Any.Literal.INSTANCE,
                        Delivered.Literal.INSTANCE,
                        AnyEvent.Literal.INSTANCE,
                        EventType.Literal.of("stock.low"));
    }

    @Test
    void an_event_of_a_class_has_no_type() {
        assertThat(DeliveredEvent.of(handler("stock.low", String.class), "tea").qualifiers())
                .containsExactlyInAnyOrder(Any.Literal.INSTANCE, Delivered.Literal.INSTANCE);
    }

    private static Handler handler(String type, Class<?> event) {
        return new Handler(
                new HandlerKey(type, "Buyer.buy"),
                "Buyer",
                event,
                false,
                Demarcation.OUTSIDE,
                InstanceKind.OF_SCOPE,
                null,
                null);
    }
}
