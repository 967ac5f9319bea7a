package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.Delivered;
import io.outboxed.EventType;
import io.outboxed.HandlerName;
import io.outboxed.OutboxMessage;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.signal.ObservedClasses;
import io.outboxed.internal.store.HandlerKey;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ObserverInvocationTest {
    private final Deployment deployment = Deployment.of(Shop.class, Seen.class, PerRequest.class);

    @AfterEach
    void stop() {
        deployment.close();
    }

    @EventType("order.placed")
    record Placed(String order) {}

    @EventType("order.cancelled")
    static class Cancelled {
        final String order;

        Cancelled(String order) {
            this.order = order;
        }
    }

    static class CancelledByCustomer extends Cancelled {
        CancelledByCustomer(String order) {
            super(order);
        }
    }

    @RequestScoped
    static class PerRequest {
        private final UUID id = UUID.randomUUID();

        UUID id() {
            return id;
        }
    }

    @ApplicationScoped
    static class Seen {
        private final List<Object> all = new ArrayList<>();

        void add(Object what) {
            all.add(what);
        }

        List<Object> all() {
            return all;
        }
    }

    @ApplicationScoped
    static class Shop {
        @Inject
        Seen seen;

        @Inject
        PerRequest request;

        @Inject
        Event<Placed> events;

        void plain(@Observes Placed event) {
            seen.add("plain " + event.order());
        }

        @HandlerName("envelope")
        void withMessage(@Observes @Delivered Placed event, OutboxMessage message) {
            seen.add(message);
        }

        void raw(@Observes @EventType("order.placed") OutboxMessage message) {
            seen.add(message.text());
        }

        void untypedClass(@Observes @EventType("stock.counted") OutboxMessage message) {
            seen.add(message.type());
        }

        void inherited(@Observes CancelledByCustomer event) {
            seen.add("inherited " + event.order);
        }

        void perRequest(@Observes @Delivered Placed event) {
            seen.add(request.id());
        }

        void firesItAgain(@Observes @Delivered Placed event) {
            events.fire(new Placed("from within"));
        }

        void interrupted(@Observes @Delivered Placed event) {
            Thread.currentThread().interrupt();
        }

        void otherClasses(@Observes @Delivered Placed event) {
            Thread.currentThread().setContextClassLoader(ClassLoader.getPlatformClassLoader());
            throw new IllegalStateException("before it was set back");
        }
    }

    private List<Object> seen() {
        return deployment.get(Seen.class).all();
    }

    private Outcome deliver(String handler) {
        return deployment.deliver("order.placed", handler, "o-1");
    }

    @Test
    void handlers_are_named_by_class_and_method_or_by_their_annotation() {
        assertThat(deployment.deliveries().all())
                .contains(
                        new HandlerKey("order.placed", "Shop.plain"),
                        new HandlerKey("order.placed", "envelope"),
                        new HandlerKey("order.placed", "Shop.raw"),
                        new HandlerKey("stock.counted", "Shop.untypedClass"),
                        new HandlerKey("order.cancelled", "Shop.inherited"))
                .hasSize(9);
        assertThat(deployment.deliveries().mode(new HandlerKey("order.placed", "Shop.plain")))
                .isEqualTo(HandlerMode.TRANSACTIONAL);
        assertThatThrownBy(() -> deployment.deliveries().mode(new HandlerKey("order.placed", "unknown")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("this deployment has no handler unknown of order.placed");
    }

    @Test
    void only_the_handler_of_the_delivery_is_called() {
        assertThat(deliver("Shop.plain")).isEqualTo(new Outcome.Done(true));
        assertThat(seen()).containsExactly("plain o-1");
    }

    @Test
    void the_envelope_is_injected() {
        assertThat(deliver("envelope")).isEqualTo(new Outcome.Done(true));
        assertThat(seen()).singleElement().isInstanceOfSatisfying(OutboxMessage.class, message -> {
            assertThat(message.type()).isEqualTo("order.placed");
            assertThat(message.aggregateId()).isEqualTo("o-1");
            assertThat(message.attempt()).isEqualTo(1);
            assertThat(message.headers()).containsEntry("trace", "t-1");
        });
    }

    @Test
    void raw_handlers_need_no_class() {
        assertThat(deliver("Shop.raw")).isEqualTo(new Outcome.Done(true));
        assertThat(deployment.deliver("stock.counted", "Shop.untypedClass", "7"))
                .isEqualTo(new Outcome.Done(true));
        assertThat(seen()).containsExactly("o-1", "stock.counted");
    }

    @Test
    void publishers_know_which_class_the_handlers_of_a_type_observe() {
        ObservedClasses observed = deployment.get(ObservedClasses.class);

        assertThat(observed.of("order.cancelled")).hasValue(CancelledByCustomer.class);
        assertThat(observed.of("stock.counted")).as("observed as a message").isEmpty();
        assertThat(observed.of("unknown")).isEmpty();
    }

    @Test
    void a_class_may_inherit_its_type() {
        assertThat(deployment.deliver("order.cancelled", "Shop.inherited", "o-1"))
                .isEqualTo(new Outcome.Done(true));
        assertThat(seen()).containsExactly("inherited o-1");
    }

    @Test
    void each_delivery_has_a_request_context_of_its_own() {
        deliver("Shop.perRequest");
        deliver("Shop.perRequest");
        assertThat(seen()).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void an_event_that_the_application_fires_reaches_no_observer_of_deliveries() {
        deployment.fire(new Placed("o-2"));
        assertThat(seen()).containsExactly("plain o-2");
    }

    @Test
    void an_event_that_a_handler_fires_is_no_delivery() {
        assertThat(deliver("Shop.firesItAgain")).isEqualTo(new Outcome.Done(true));
        assertThat(seen()).containsExactly("plain from within");
        assertThat(deployment.messages()).isEmpty();
    }

    @Test
    void outside_a_delivery_there_is_no_message() {
        assertThatThrownBy(() -> deployment.get(OutboxMessage.class))
                .hasMessageStartingWith(
                        "OUTBOX-0543 an OutboxMessage is injected but nothing is being delivered on thread");
    }

    @Test
    void an_interrupt_stays_with_the_handler() {
        assertThat(deliver("Shop.interrupted")).isEqualTo(new Outcome.Done(true));
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void a_context_class_loader_stays_with_the_handler_too() {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        assertThat(deliver("Shop.otherClasses")).isInstanceOf(Outcome.Failed.class);
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(before);
    }

    @Test
    void a_database_that_does_not_answer_is_not_the_handlers_failure() {
        StoreException down = new StoreException("claim", true, null);
        deployment.ack().beforeClaim(() -> {
            throw down;
        });
        assertThat(deliver("Shop.plain")).isEqualTo(new Outcome.NoTransaction(down));
        assertThat(seen()).isEmpty();
    }
}
