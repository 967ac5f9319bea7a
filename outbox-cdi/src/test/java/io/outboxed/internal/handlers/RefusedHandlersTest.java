package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.EventType;
import io.outboxed.HandlerName;
import io.outboxed.OutboxMessage;
import io.outboxed.spi.FailureClassifier;
import jakarta.ejb.Stateless;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.ConversationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.SessionScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.enterprise.event.Reception;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.enterprise.inject.spi.EventMetadata;
import jakarta.faces.view.ViewScoped;
import jakarta.transaction.TransactionScoped;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.io.Serializable;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.eclipse.microprofile.faulttolerance.Asynchronous;
import org.eclipse.microprofile.faulttolerance.Fallback;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.junit.jupiter.api.Test;

class RefusedHandlersTest {
    private static final String HERE = RefusedHandlersTest.class.getName() + "$";

    @EventType("order.placed")
    record Placed(String order) {}

    @EventType("order.placed")
    record PlacedToo(String order) {}

    @EventType("order placed")
    record BadType(String order) {}

    @EventType("box")
    record Box<T>(T content) {}

    record Untyped(String order) {}

    @ApplicationScoped
    static class Phases {
        void later(@ObservesAsync Placed event) {}

        void afterwards(@Observes(during = TransactionPhase.AFTER_SUCCESS) Placed event) {}

        void ifThere(@Observes(notifyObserver = Reception.IF_EXISTS) Placed event) {}

        static void once(@Observes Placed event) {}

        void withMetadata(@Observes Placed event, EventMetadata metadata) {}
    }

    @ApplicationScoped
    static class OwnTransactions {
        @Transactional(TxType.REQUIRES_NEW)
        private void hidden(@Observes Placed event) {}
    }

    @ApplicationScoped
    static class InBackground {
        @Asynchronous
        CompletionStage<Void> first(@Observes Placed event) {
            return CompletableFuture.completedFuture(null);
        }

        @jakarta.ejb.Asynchronous
        void second(@Observes Placed event) {}

        @jakarta.enterprise.concurrent.Asynchronous
        void third(@Observes Placed event) {}

        CompletionStage<Void> fourth(@Observes Placed event) {
            return CompletableFuture.completedFuture(null);
        }

        Future<Void> fifth(@Observes Placed event) {
            return CompletableFuture.completedFuture(null);
        }

        Flow.Publisher<Placed> sixth(@Observes Placed event) {
            return null;
        }
    }

    @jakarta.ejb.Asynchronous
    static class Background {
        void inherited(@Observes Placed event) {}
    }

    /** The annotation is not inherited, but applies to what the class with it declares. */
    @Stateless
    static class InheritsBackground extends Background {}

    @SessionScoped
    static class Basket implements Serializable {
        private static final long serialVersionUID = 1L;

        void in(@Observes Placed event) {}
    }

    @ConversationScoped
    static class Wizard implements Serializable {
        private static final long serialVersionUID = 1L;

        void step(@Observes Placed event) {}
    }

    @TransactionScoped
    static class UnitOfWork implements Serializable {
        private static final long serialVersionUID = 1L;

        void handle(@Observes Placed event) {}
    }

    @ViewScoped
    static class Page implements Serializable {
        private static final long serialVersionUID = 1L;

        void show(@Observes Placed event) {}
    }

    @ApplicationScoped
    static class Selections {
        void qualified(@Observes @EventType("order.placed") Untyped event) {}

        void everything(@Observes OutboxMessage message) {}

        void generic(@Observes Box<String> event) {}

        void badType(@Observes BadType event) {}

        void badRawType(@Observes @EventType("") OutboxMessage message) {}

        @HandlerName("ware house")
        void badName(@Observes Placed event) {}
    }

    @ApplicationScoped
    static class SharedTransaction {
        @Retry
        @Transactional
        void required(@Observes Placed event) {}

        @Retry
        @Transactional(TxType.REQUIRES_NEW)
        void requiresNew(@Observes Placed event) {}

        @Fallback(fallbackMethod = "instead")
        @Transactional(TxType.MANDATORY)
        void mandatory(@Observes Placed event) {}

        void instead(Placed event) {}

        @Retry
        @Transactional(TxType.SUPPORTS)
        void supports(@Observes Placed event) {}

        @Retry
        private void hidden(@Observes Placed event) {}
    }

    @Retry
    @Transactional
    @ApplicationScoped
    static class SharedByClass {
        void handle(@Observes Placed event) {}
    }

    @Stateless
    static class Session {
        @Retry
        void handle(@Observes Placed event) {}
    }

    @ApplicationScoped
    static class Twins {
        void same(@Observes Placed event) {}

        void same(@Observes Placed event, OutboxMessage message) {}

        void twin(@Observes PlacedToo event) {}
    }

    @Dependent
    static class OneClassifier implements FailureClassifier {
        @Override
        public Verdict classify(OutboxMessage message, String handler, Throwable failure, Verdict builtIn) {
            return Verdict.RETRY;
        }
    }

    @Dependent
    static class OtherClassifier extends OneClassifier {}

    private final List<String> refusal = Deployment.refusal(
            Phases.class,
            OwnTransactions.class,
            InBackground.class,
            InheritsBackground.class,
            Basket.class,
            Wizard.class,
            UnitOfWork.class,
            Page.class,
            Selections.class,
            SharedTransaction.class,
            SharedByClass.class,
            Session.class,
            Twins.class,
            OneClassifier.class,
            OtherClassifier.class);

    @Test
    void all_problems_are_reported_at_once() {
        assertThat(refusal.get(0)).isEqualTo("OUTBOX-0500 33 problems with event handlers; nothing was deployed:");
        assertThat(refusal).hasSize(34);
    }

    @Test
    void observers_that_end_later_or_are_left_out() {
        refused("0501 " + HERE + "Phases.later(Placed) is @ObservesAsync");
        refused("0502 " + HERE + "Phases.afterwards(Placed) observes during AFTER_SUCCESS");
        refused("0503 " + HERE + "Phases.ifThere(Placed) is notified IF_EXISTS");
        refused("0506 " + HERE + "Phases.once(Placed) is static");
    }

    @Test
    void parameters_that_no_delivery_has() {
        refused("0525 " + HERE + "Phases.withMetadata(Placed) takes an EventMetadata");
    }

    @Test
    void methods_whose_own_transaction_no_container_begins() {
        refused("0526 " + HERE
                + "OwnTransactions.hidden(Placed) is @Transactional(REQUIRES_NEW), but it is private, final,");
    }

    @Test
    void asynchronous_methods() {
        refused("0504 " + HERE + "InBackground.first(Placed) is @org.eclipse.microprofile.faulttolerance.Asynchronous");
        refused("0504 " + HERE + "InBackground.second(Placed) is @jakarta.ejb.Asynchronous");
        refused("0504 " + HERE + "InBackground.third(Placed) is @jakarta.enterprise.concurrent.Asynchronous");
        refused("0504 " + HERE + "InBackground.fourth(Placed) returns a CompletionStage");
        refused("0504 " + HERE + "InBackground.fifth(Placed) returns a Future");
        refused("0504 " + HERE + "InBackground.sixth(Placed) returns a Publisher");
        refused("0504 " + HERE + "InheritsBackground.inherited(Placed) is @jakarta.ejb.Asynchronous");
    }

    @Test
    void scopes_that_no_relay_thread_has() {
        refused("0505 " + HERE + "Basket.in(Placed) is in a @SessionScoped bean");
        refused("0505 " + HERE + "Wizard.step(Placed) is in a @ConversationScoped bean");
        refused("0505 " + HERE + "UnitOfWork.handle(Placed) is in a @TransactionScoped bean");
        refused("0505 " + HERE + "Page.show(Placed) is in a @ViewScoped bean");
    }

    @Test
    void what_names_no_type_or_no_class() {
        refused("0507 " + HERE + "Selections.qualified(Untyped) has the qualifier @EventType on a Untyped parameter");
        refused("0508 " + HERE + "Selections.everything(OutboxMessage) observes an OutboxMessage without a type");
        refused("0509 " + HERE + "Selections.generic(Box) observes " + HERE + "Box<java.lang.String>");
    }

    @Test
    void names_that_the_tables_do_not_hold() {
        refused("0510 " + HERE + "Selections.badType(BadType) handles the event type \"order placed\"");
        refused("0510 " + HERE + "Selections.badRawType(OutboxMessage) handles the event type \"\"");
        refused("0511 " + HERE + "Selections.badName(Placed) has the handler name \"ware house\"");
    }

    @Test
    void tries_that_would_share_one_transaction() {
        refused("0512 " + HERE + "SharedTransaction.required(Placed) has @Retry and @Transactional(REQUIRED)");
        refused("0512 " + HERE + "SharedTransaction.requiresNew(Placed) has @Retry and @Transactional(REQUIRES_NEW)");
        refused("0512 " + HERE + "SharedTransaction.mandatory(Placed) has @Fallback and @Transactional(MANDATORY)");
        refused("0512 " + HERE + "SharedTransaction.supports(Placed) has @Retry and @Transactional(SUPPORTS)");
        refused("0512 " + HERE + "SharedTransaction.hidden(Placed) has @Retry and `private` or `final`");
        refused("0512 " + HERE + "SharedByClass.handle(Placed) has @Retry and @Transactional(REQUIRED)");
        refused("0512 " + HERE + "Session.handle(Placed) has @Retry and a session bean's transaction");
    }

    @Test
    void duplicates_of_what_must_be_unique() {
        refused("0513 " + HERE + "Twins.same(Placed) and " + HERE + "Twins.same(Placed) have the same handler name");
        refused("0514 " + HERE + "PlacedToo and " + HERE + "Placed both have the event type order.placed");
        refused("0515 there are several FailureClassifier beans (" + HERE + "OneClassifier, " + HERE
                + "OtherClassifier)");
    }

    private void refused(String start) {
        assertThat(refusal).anySatisfy(line -> assertThat(line).startsWith("  OUTBOX-" + start));
    }
}
