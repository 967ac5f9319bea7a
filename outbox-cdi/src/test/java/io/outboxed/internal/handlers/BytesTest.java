package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.EventType;
import io.outboxed.OutboxMessage;
import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.SilentLog;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.MessageBody;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.spi.FailureClassifier.Verdict;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Events that were published as bytes. */
@ExtendWith(SilentLog.class)
class BytesTest {
    private static final String NAME = "M\u00fcller";

    @EventType("customer.named")
    record Named(String name) {}

    @ApplicationScoped
    static class Customers {
        private final List<Object> seen = new CopyOnWriteArrayList<>();

        void read(@Observes Named event) {
            seen.add(event);
        }

        void raw(@Observes @EventType("customer.named") OutboxMessage message) {
            seen.add(message.bytes());
        }

        List<Object> seen() {
            return seen;
        }
    }

    @Test
    void utf_8_is_read_as_the_class_of_the_handler() {
        try (Deployment deployment = Deployment.of(Customers.class)) {
            assertThat(deliver(deployment, "Customers.read", NAME.getBytes(StandardCharsets.UTF_8)))
                    .isEqualTo(new Outcome.Done(true));
            assertThat(deployment.get(Customers.class).seen()).containsExactly(new Named(NAME));
        }
    }

    @Test
    void what_is_no_utf_8_is_a_dead_letter_and_not_read_with_replaced_characters() {
        try (Deployment deployment = Deployment.of(Customers.class)) {
            Outcome outcome = deliver(deployment, "Customers.read", NAME.getBytes(StandardCharsets.ISO_8859_1));

            assertThat(deployment.get(Customers.class).seen()).isEmpty();
            assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
                assertThat(failed.failure())
                        .hasMessageStartingWith("OUTBOX-0544 ")
                        .hasMessageContaining("its bytes are not UTF-8");
                assertThat(BuiltInVerdict.of(failed.failure())).isEqualTo(Verdict.DEAD);
            });
        }
    }

    @Test
    void an_observer_of_the_message_gets_any_bytes_as_they_are() {
        byte[] latin = NAME.getBytes(StandardCharsets.ISO_8859_1);
        try (Deployment deployment = Deployment.of(Customers.class)) {
            assertThat(deliver(deployment, "Customers.raw", latin)).isEqualTo(new Outcome.Done(true));
            assertThat(deployment.get(Customers.class).seen()).containsExactly(latin);
        }
    }

    private static Outcome deliver(Deployment deployment, String handler, byte[] bytes) {
        UUID id = new UUID(7, 1);
        deployment.database().update("MERGE INTO message VALUES (1, 0)");
        MessageHead head = new MessageHead(
                1, id, 3, 9, "customer.named", "", MessageState.READY, 0, 1, bytes.length, 0, false, null, null);
        MessageBody body = new MessageBody(1, id, "", "", Instant.EPOCH, Duration.ZERO, null, null, bytes);
        return deployment.deliveries().deliver(new Delivery(head, body, handler, 1, AckMode.DELETE_MESSAGE));
    }
}
