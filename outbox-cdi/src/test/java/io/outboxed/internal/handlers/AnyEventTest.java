package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.AnyEvent;
import io.outboxed.Delivered;
import io.outboxed.EventType;
import io.outboxed.HandlerName;
import io.outboxed.OutboxMessage;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.SilentLog;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.cluster.HandlerRegistration;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Observers of the events of every type. */
@ExtendWith(SilentLog.class)
class AnyEventTest {

    @EventType("order.placed")
    record Placed(String order) {}

    @ApplicationScoped
    static class Audit {
        private final List<String> seen = new CopyOnWriteArrayList<>();

        void write(@Observes @AnyEvent OutboxMessage message) {
            seen.add(message.type() + " " + message.text());
        }

        @Transactional(TxType.NOT_SUPPORTED)
        void forward(@Observes @AnyEvent @Delivered OutboxMessage message) {
            seen.add("forwards " + message.type());
        }

        List<String> seen() {
            return seen;
        }
    }

    @ApplicationScoped
    @Transactional(TxType.NOT_SUPPORTED)
    static class Bridge {
        private final List<String> seen = new CopyOnWriteArrayList<>();

        void placed(@Observes @Delivered Placed event) {
            seen.add("placed " + event.order());
        }

        void forward(@Observes @AnyEvent OutboxMessage message) {
            seen.add("any " + message.text());
        }

        List<String> seen() {
            return seen;
        }
    }

    @ApplicationScoped
    static class Overloaded {
        void on(@Observes Placed event) {}

        void on(@Observes @AnyEvent OutboxMessage message) {}

        @HandlerName("Overloaded.on")
        void low(@Observes @EventType("stock.low") OutboxMessage message) {}
    }

    @ApplicationScoped
    static class Mistaken {
        void both(@Observes @AnyEvent @EventType("stock.low") OutboxMessage message) {}

        void ofAClass(@Observes @AnyEvent Placed event) {}

        void ofEverything(@Observes @AnyEvent Object event) {}
    }

    @Test
    void one_is_registered_once_and_known_for_each_type() {
        try (Deployment deployment = Deployment.of(Audit.class)) {
            HandlerInvoker handlers = deployment.deliveries();

            assertThat(handlers.registrations())
                    .containsExactlyInAnyOrder(
                            new HandlerRegistration("*", "Audit.write", "Audit"),
                            new HandlerRegistration("*", "Audit.forward", "Audit"));
            assertThat(handlers.knows(new HandlerKey("never.seen", "Audit.write")))
                    .isTrue();
            assertThat(handlers.knows(new HandlerKey("never.seen", "Audit.read")))
                    .isFalse();
            assertThat(handlers.mode(new HandlerKey("never.seen", "Audit.write")))
                    .isEqualTo(HandlerMode.TRANSACTIONAL);
            assertThat(handlers.mode(new HandlerKey("never.seen", "Audit.forward")))
                    .isEqualTo(HandlerMode.OUTSIDE);
        }
    }

    @Test
    void it_gets_the_message_whatever_its_type() {
        try (Deployment deployment = Deployment.of(Audit.class)) {
            assertThat(deployment.deliver("never.seen", "Audit.write", "{}")).isEqualTo(new Outcome.Done(true));
            assertThat(deployment.deliver("order.placed", "Audit.forward", "{}"))
                    .isEqualTo(new Outcome.Done(false));

            assertThat(deployment.get(Audit.class).seen()).containsExactly("never.seen {}", "forwards order.placed");
        }
    }

    @Test
    void a_relay_calls_it_for_types_that_have_handlers_and_for_types_that_have_none() {
        try (Deployment deployment = Deployment.of(Bridge.class);
                RunningRelay relay = new RunningRelay(deployment, OutboxConfig.DEFAULTS)) {
            relay.publish("order.placed", "o-1");
            relay.publish("never.seen", "{}");
            relay.untilAllIsOver();

            assertThat(deployment.get(Bridge.class).seen())
                    .containsExactlyInAnyOrder("placed o-1", "any o-1", "any {}");
        }
    }

    @Test
    void no_other_handler_has_its_name() {
        assertThat(Deployment.refusal(Overloaded.class))
                .hasSize(3)
                .filteredOn(line -> line.startsWith("  OUTBOX-0513 "))
                .allMatch(line -> line.contains("have the same handler name Overloaded.on for the type "))
                .anyMatch(line -> line.contains("for the type order.placed"))
                .anyMatch(line -> line.contains("for the type stock.low"));
    }

    @Test
    void the_qualifier_belongs_on_a_message_and_excludes_a_type() {
        String here = AnyEventTest.class.getName() + "$Mistaken.";

        assertThat(Deployment.refusal(Mistaken.class))
                .anyMatch(line -> line.startsWith(
                        "  OUTBOX-0520 " + here + "both(OutboxMessage) has the qualifiers @EventType and @AnyEvent"))
                .anyMatch(line -> line.startsWith(
                        "  OUTBOX-0521 " + here + "ofAClass(Placed) has the qualifier @AnyEvent on a Placed parameter"))
                .anyMatch(line -> line.startsWith(
                        "  OUTBOX-0521 " + here + "ofEverything(Object) has the qualifier @AnyEvent on a Object"));
    }
}
