package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.AggregateId;
import io.outboxed.DeadLetter;
import io.outboxed.Delivered;
import io.outboxed.EventType;
import io.outboxed.HandlerGroup;
import io.outboxed.Outboxed;
import io.outboxed.internal.metrics.CapturedLog;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Qualifier;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is deployed although it is probably not meant so, and the lines about it. */
class HandlerWarningsTest {
    private static final String HERE = HandlerWarningsTest.class.getName() + "$";

    interface DomainEvent {}

    @EventType("order.placed")
    record Placed(@AggregateId String orderId) implements DomainEvent {}

    @EventType("payment.received")
    record Paid(@AggregateId String orderId) implements DomainEvent {}

    @EventType(value = "payment.refunded", aggregate = "order")
    record Refunded(@AggregateId String orderId) {}

    @EventType("customer.moved")
    record Moved(@AggregateId String customer) {}

    @EventType("item.sold")
    record Sold(@AggregateId String id) {}

    @EventType("shop.opened")
    record Opened(@AggregateId String id) {}

    interface Identified {
        @AggregateId
        String aggregateId();
    }

    @EventType("book.lent")
    record Lent(String aggregateId) implements Identified {}

    @EventType("reader.joined")
    record Joined(String aggregateId) implements Identified {}

    @EventType(value = "order.billed", aggregate = "bill")
    record Billed(@AggregateId String orderId) {}

    /** Not an event by itself, but a declared one. */
    interface Anything {}

    @Qualifier
    @Retention(RetentionPolicy.RUNTIME)
    @interface Internal {}

    @ApplicationScoped
    static class Handles {
        void handle(@Observes Placed event) {}
    }

    @ApplicationScoped
    static class OfQualifier {
        void handle(@Observes @Internal Placed event) {}

        void all(@Observes @Internal DomainEvent event) {}
    }

    @ApplicationScoped
    static class OfSupertype {
        void all(@Observes DomainEvent event) {}

        void everything(@Observes Object event) {}
    }

    @ApplicationScoped
    static class DeliveredOfSupertype {
        void all(@Observes @Delivered DomainEvent event) {}
    }

    @ApplicationScoped
    static class DeadLetterLater {
        void died(@ObservesAsync DeadLetter letter) {}

        void anything(@ObservesAsync Object event) {}

        void now(@Observes DeadLetter letter) {}
    }

    @Dependent
    static class Publishes {
        @Outboxed
        public List<Paid> pay() {
            return List.of();
        }
    }

    @Dependent
    static class PublishesAnything {
        @Outboxed
        public Anything publish() {
            return null;
        }
    }

    @ApplicationScoped
    static class OfAnything {
        void all(@Observes Anything event) {}
    }

    @ApplicationScoped
    static class Library {
        void lent(@Observes Lent event) {}

        void joined(@Observes Joined event) {}

        void placed(@Observes Placed event) {}

        void billed(@Observes Billed event) {}
    }

    @ApplicationScoped
    static class Ledger {
        void placed(@Observes Placed event) {}

        void paid(@Observes Paid event) {}
    }

    @ApplicationScoped
    static class LedgerInTwoGroups {
        @HandlerGroup("orders")
        void placed(@Observes Placed event) {}

        @HandlerGroup("payments")
        void paid(@Observes Paid event) {}
    }

    @ApplicationScoped
    static class Statistics {
        void placed(@Observes Placed event) {}

        void refunded(@Observes Refunded event) {}

        void moved(@Observes Moved event) {}

        void sold(@Observes Sold event) {}

        void opened(@Observes Opened event) {}
    }

    @Test
    void an_observer_with_a_qualifier_of_the_application_is_no_handler() {
        assertThat(warnings(Handles.class, OfQualifier.class))
                .singleElement()
                .asString()
                .startsWith("WARNING OUTBOX-0591 " + HERE + "OfQualifier.handle(Placed) observes an event type with the"
                        + " qualifier")
                .contains("Internal");
    }

    @Test
    void an_asynchronous_observer_of_dead_letters_is_told_of_none() {
        assertThat(warnings(DeadLetterLater.class))
                .singleElement()
                .asString()
                .startsWith("WARNING OUTBOX-0586 " + HERE + "DeadLetterLater.died(DeadLetter) is @ObservesAsync: ");
    }

    @Test
    void an_observer_of_a_supertype_of_a_handled_event_is_no_handler() {
        assertThat(warnings(Handles.class, OfSupertype.class))
                .singleElement()
                .asString()
                .startsWith("WARNING OUTBOX-0588 " + HERE + "OfSupertype.all(DomainEvent) observes a supertype of "
                        + HERE + "Placed: ");
        assertThat(warnings(Handles.class, DeliveredOfSupertype.class))
                .singleElement()
                .asString()
                .contains("OUTBOX-0588", "DeliveredOfSupertype.all(DomainEvent)");
    }

    @Test
    void an_observer_of_a_supertype_of_a_published_event_is_no_handler() {
        assertThat(warnings(Publishes.class, OfSupertype.class))
                .singleElement()
                .asString()
                .contains("OUTBOX-0588", HERE + "OfSupertype.all(DomainEvent)", HERE + "Paid");
    }

    @Test
    void an_observer_of_the_declared_type_itself_observes_no_supertype() {
        assertThat(warnings(PublishesAnything.class, OfAnything.class)).isEmpty();
    }

    @Test
    void an_inherited_id_or_a_given_aggregate_type_says_nothing_of_a_common_aggregate() {
        assertThat(warnings(Library.class)).isEmpty();
    }

    @Test
    void an_observer_of_a_type_that_no_event_has_is_of_no_interest() {
        assertThat(warnings(OfSupertype.class)).isEmpty();
    }

    @Test
    void events_with_one_id_and_several_aggregate_types_have_no_common_order_in_their_group() {
        assertThat(warnings(Ledger.class))
                .singleElement()
                .asString()
                .startsWith("WARNING OUTBOX-0589 the handler group Ledger ")
                .contains(HERE + "Paid", "\"payment\"", HERE + "Placed", "\"order\"", "orderId");
        assertThat(warnings(LedgerInTwoGroups.class)).isEmpty();
    }

    @Test
    void events_of_one_aggregate_type_or_with_other_ids_are_of_no_interest() {
        assertThat(warnings(Statistics.class)).isEmpty();
    }

    @Test
    void the_problems_of_a_refused_deployment_are_logged_line_by_line() {
        try (CapturedLog log = new CapturedLog()) {
            List<String> refusal = Deployment.refusal(TwoClasses.class);
            assertThat(log.lines).contains("SEVERE " + String.join("\n", refusal));
            assertThat(refusal).hasSize(2);
        }
    }

    @EventType("order.placed")
    record PlacedToo(String orderId) {}

    @ApplicationScoped
    static class TwoClasses {
        void one(@Observes Placed event) {}

        void two(@Observes PlacedToo event) {}
    }

    private static List<String> warnings(Class<?>... beans) {
        try (CapturedLog log = new CapturedLog()) {
            Deployment.of(beans).close();
            return log.lines.stream().filter(line -> line.startsWith("WARNING")).toList();
        }
    }
}
