package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.AnyEvent;
import io.outboxed.Delivered;
import io.outboxed.EventBatch;
import io.outboxed.EventType;
import io.outboxed.OutboxException;
import io.outboxed.OutboxMessage;
import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.handlers.invocation.UnreadableMessageException;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.SilentLog;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MessageBody;
import io.outboxed.internal.store.MessageHead;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Observers that take the waiting events of an aggregate in one call. */
@ExtendWith(SilentLog.class)
class BatchesTest {

    @EventType("order.placed")
    record Placed(String order) {
        Placed {
            if (order.equals("unreadable")) {
                throw new IllegalArgumentException("unreadable");
            }
        }
    }

    @EventType("stock.left")
    record Left<T>(T what) {}

    @ApplicationScoped
    static class Stock {
        private final List<String> seen = new CopyOnWriteArrayList<>();
        private int failures;

        @Inject
        Database database;

        @Inject
        Instance<OutboxMessage> current;

        void batch(@Observes EventBatch<Placed> batch) {
            seen.add(batch.events().stream().map(Placed::order).toList() + " "
                    + batch.messages().stream()
                            .map(OutboxMessage::type)
                            .distinct()
                            .toList());
            batch.events().forEach(event -> database.update("INSERT INTO effect VALUES (?, '')", event.order()));
            if (batch.events().stream().anyMatch(event -> event.order().equals("poison"))) {
                throw new IllegalStateException("poison");
            }
        }

        @Retry(maxRetries = 2, delay = 0, jitter = 0)
        void repeats(@Observes @Delivered EventBatch<Placed> batch) {
            batch(batch);
            if (failures-- > 0) {
                throw new IllegalStateException("as requested");
            }
        }

        void envelope(@Observes @AnyEvent EventBatch<OutboxMessage> batch) {
            current.get();
        }

        void failNext(int times) {
            failures = times;
        }

        List<String> seen() {
            return seen;
        }
    }

    @ApplicationScoped
    static class Raw {
        private final List<String> seen = new CopyOnWriteArrayList<>();

        void ofOneType(@Observes @EventType("stock.low") EventBatch<OutboxMessage> batch) {
            seen.add("low " + batch.events().stream().map(OutboxMessage::text).toList());
        }

        @Transactional
        void ofAnyType(@Observes @AnyEvent EventBatch<OutboxMessage> batch) {
            seen.add("any " + batch.events().stream().map(OutboxMessage::text).toList());
        }

        List<String> seen() {
            return seen;
        }
    }

    @ApplicationScoped
    @SuppressWarnings("rawtypes")
    static class Mistaken {
        void ofAnything(@Observes EventBatch batch) {}

        void ofSomething(@Observes EventBatch<?> batch) {}

        void ofSubclasses(@Observes EventBatch<? extends Placed> batch) {}

        void ofTexts(@Observes EventBatch<String> batch) {}

        void ofGenerics(@Observes EventBatch<Left<String>> batch) {}

        void ofUntypedMessages(@Observes EventBatch<OutboxMessage> batch) {}

        void ofAnyClass(@Observes @AnyEvent EventBatch<Placed> batch) {}

        @Transactional(TxType.NOT_SUPPORTED)
        void outside(@Observes EventBatch<Placed> batch) {}

        void withEnvelope(@Observes EventBatch<Placed> batch, OutboxMessage message) {}
    }

    private final Deployment deployment = Deployment.of(Stock.class);

    @AfterEach
    void stop() {
        deployment.close();
    }

    @Test
    void one_call_and_one_transaction_have_all_events() {
        assertThat(together(deployment, "order.placed", "Stock.batch", "o-1", "o-2", "o-3"))
                .isEqualTo(new Outcome.Done(true));

        assertThat(deployment.get(Stock.class).seen()).containsExactly("[o-1, o-2, o-3] [order.placed]");
        assertThat(deployment.effects()).containsExactly("o-1", "o-2", "o-3");
        assertThat(deployment.messages()).isEmpty();
    }

    @Test
    void a_single_event_is_a_batch_of_one() {
        assertThat(deployment.deliver("order.placed", "Stock.batch", "o-1")).isEqualTo(new Outcome.Done(true));

        assertThat(deployment.get(Stock.class).seen()).containsExactly("[o-1] [order.placed]");
        assertThat(deployment.messages()).isEmpty();
    }

    @Test
    void a_failure_leaves_neither_effects_nor_claims() {
        assertThat(together(deployment, "order.placed", "Stock.batch", "o-1", "poison", "o-3"))
                .isInstanceOf(Outcome.Failed.class);

        assertThat(deployment.effects()).isEmpty();
        assertThat(deployment.messages()).containsExactly("0", "0", "0");
    }

    @Test
    void a_row_that_has_changed_loses_the_claim_before_the_handler_is_called() {
        List<Delivery> deliveries = stored(deployment, "order.placed", "Stock.batch", "o-1", "o-2");
        deployment.database().update("UPDATE message SET version = 5 WHERE seq = 2");

        assertThat(deployment.deliveries().deliverTogether(deliveries)).isInstanceOf(Outcome.Lost.class);
        assertThat(deployment.get(Stock.class).seen()).isEmpty();
        assertThat(deployment.messages()).containsExactly("0", "5");
    }

    @Test
    void each_retry_of_fault_tolerance_has_its_own_transaction_with_all_rows() {
        deployment.get(Stock.class).failNext(2);

        assertThat(together(deployment, "order.placed", "Stock.repeats", "o-1", "o-2"))
                .isEqualTo(new Outcome.Done(true));
        assertThat(deployment.get(Stock.class).seen()).hasSize(3);
        assertThat(deployment.effects()).containsExactly("o-1", "o-2");
        assertThat(deployment.messages()).isEmpty();
    }

    @Test
    void an_event_that_can_not_be_read_keeps_the_handler_from_being_called() {
        assertThat(together(deployment, "order.placed", "Stock.batch", "o-1", "unreadable"))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.failure()).isInstanceOf(UnreadableMessageException.class));
        assertThat(deployment.get(Stock.class).seen()).isEmpty();
    }

    @Test
    void there_is_no_single_envelope() {
        assertThat(deployment.deliver("stock.low", "Stock.envelope", "x"))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.failure())
                                .isInstanceOf(OutboxException.class)
                                .hasMessageContaining("OUTBOX-0548")
                                .hasMessageContaining("take them from EventBatch.messages()"));
    }

    @Test
    void raw_messages_of_one_type_or_of_any_type_come_in_batches_too() {
        try (Deployment raw = Deployment.of(Raw.class)) {
            assertThat(raw.deliveries().mode(new HandlerKey("stock.low", "Raw.ofOneType")))
                    .isEqualTo(HandlerMode.BATCHED);
            assertThat(raw.deliveries().mode(new HandlerKey("never.seen", "Raw.ofAnyType")))
                    .isEqualTo(HandlerMode.BATCHED);

            together(raw, "stock.low", "Raw.ofOneType", "a", "b");
            together(raw, "never.seen", "Raw.ofAnyType", "c", "d");

            assertThat(raw.get(Raw.class).seen()).containsExactly("low [a, b]", "any [c, d]");
        }
    }

    @Test
    void what_a_batch_can_not_be_is_refused_at_deployment() {
        String here = "OUTBOX-%s " + BatchesTest.class.getName() + "$Mistaken.%s";

        assertThat(Deployment.refusal(Mistaken.class))
                .anyMatch(line -> line.contains(here.formatted("0522", "ofAnything(EventBatch<Object>) observes")))
                .anyMatch(line -> line.contains(here.formatted("0522", "ofSomething(EventBatch<Object>) observes")))
                .anyMatch(line -> line.contains(here.formatted("0522", "ofSubclasses(EventBatch<Object>) observes")))
                .anyMatch(line -> line.contains(here.formatted("0522", "ofTexts(EventBatch<String>) observes")))
                .anyMatch(line -> line.contains(here.formatted("0509", "ofGenerics(EventBatch<Left>) observes")))
                .anyMatch(line -> line.contains(here.formatted("0508", "ofUntypedMessages(EventBatch<OutboxMessage>)")))
                .anyMatch(line -> line.contains(here.formatted("0521", "ofAnyClass(EventBatch<Placed>)")))
                .anyMatch(line -> line.contains(here.formatted("0523", "outside(EventBatch<Placed>)")))
                .anyMatch(line -> line.contains(here.formatted("0524", "withEnvelope(EventBatch<Placed>)")));
    }

    private static Outcome together(Deployment deployment, String type, String handler, String... texts) {
        return deployment.deliveries().deliverTogether(stored(deployment, type, handler, texts));
    }

    private static List<Delivery> stored(Deployment deployment, String type, String handler, String... texts) {
        List<Delivery> deliveries = new ArrayList<>();
        for (int i = 0; i < texts.length; i++) {
            long seq = i + 1L;
            deployment.database().update("MERGE INTO message VALUES (?, 0)", seq);
            UUID id = new UUID(7, seq);
            MessageHead head =
                    new MessageHead(seq, id, 3, 9, type, "order", MessageState.READY, 0, 1, 3, 0, false, null, null);
            MessageBody body =
                    new MessageBody(seq, id, "order", "o-1", Instant.EPOCH, Duration.ZERO, null, texts[i], null);
            deliveries.add(new Delivery(head, body, handler, 1, AckMode.DELETE_MESSAGE));
        }
        return deliveries;
    }
}
