package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.EventType;
import io.outboxed.internal.relay.Outcome;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.ContextNotActiveException;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.NormalScope;
import jakarta.enterprise.context.SessionScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Scope;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The container skips an observer whose bean it can't create in the contexts that are active, and reports nothing. */
class SkippedObserversTest {
    private final Deployment deployment = Deployment.of(
            Customer.class,
            ByConstructor.class,
            AfterConstruction.class,
            ByInitializer.class,
            ByItsPart.class,
            Part.class,
            ForOneTicket.class,
            ForOneTenant.class,
            OneForAll.class,
            EachTime.class);

    @AfterEach
    void stop() {
        deployment.close();
    }

    @EventType("order.placed")
    record Placed(String order) {}

    /** Of a session that no thread of the relay has. */
    @SessionScoped
    static class Customer implements Serializable {
        private static final long serialVersionUID = 1L;

        String name() {
            return "nobody";
        }
    }

    @ApplicationScoped
    static class ByConstructor {

        @Inject
        ByConstructor(Customer customer) {
            customer.name();
        }

        ByConstructor() {}

        void eachAttempt(@Observes Placed event) {}

        private void around(@Observes Placed event) {}

        @Transactional(TxType.NOT_SUPPORTED)
        void outside(@Observes Placed event) {}
    }

    @Dependent
    static class AfterConstruction {
        @Inject
        Customer customer;

        @PostConstruct
        void prepare() {
            customer.name();
        }

        void eachAttempt(@Observes Placed event) {}

        private void around(@Observes Placed event) {}

        @Transactional(TxType.NOT_SUPPORTED)
        void outside(@Observes Placed event) {}
    }

    @Dependent
    static class ByInitializer {
        @Inject
        void use(Customer customer) {
            customer.name();
        }

        void handle(@Observes Placed event) {}
    }

    @Dependent
    static class Part {
        @Inject
        Part(Customer customer) {
            customer.name();
        }
    }

    @Dependent
    static class ByItsPart {
        @Inject
        Part part;

        void handle(@Observes Placed event) {}
    }

    @Scope
    @Retention(RetentionPolicy.RUNTIME)
    @interface TicketScoped {}

    @TicketScoped
    static class ForOneTicket {
        void handle(@Observes Placed event) {}
    }

    /** A {@code ContextPropagator} may activate it; here is none. */
    @NormalScope
    @Retention(RetentionPolicy.RUNTIME)
    @interface TenantScoped {}

    @TenantScoped
    static class ForOneTenant {
        void handle(@Observes Placed event) {}
    }

    @Singleton
    static class OneForAll {
        @Inject
        Database database;

        void handle(@Observes Placed event) {
            database.update("INSERT INTO effect VALUES ('done', '')");
        }
    }

    @Dependent
    static class EachTime {
        @Inject
        Database database;

        @Retry(maxRetries = 1, delay = 0, jitter = 0)
        void intercepted(@Observes Placed event) {
            database.update("INSERT INTO effect VALUES ('done', '')");
        }

        private void notIntercepted(@Observes Placed event) {
            database.update("INSERT INTO effect VALUES ('done', '')");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ByConstructor.eachAttempt",
                "ByConstructor.around",
                "ByConstructor.outside",
                "AfterConstruction.eachAttempt",
                "AfterConstruction.around",
                "AfterConstruction.outside",
                "ByInitializer.handle",
                "ByItsPart.handle",
                "ForOneTicket.handle",
                "ForOneTenant.handle"
            })
    void a_handler_that_was_not_called_has_failed(String handler) {
        assertThat(deliver(handler))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.failure())
                                .hasMessageStartingWith("OUTBOX-0549 " + handler + " was not called")
                                .hasCauseInstanceOf(ContextNotActiveException.class));
        assertThat(deployment.messages()).containsExactly("0");
    }

    @Test
    void a_bean_of_the_whole_application_is_called_again_and_again() {
        assertThat(deliver("OneForAll.handle")).isEqualTo(new Outcome.Done(true));
        assertThat(deliver("OneForAll.handle")).isEqualTo(new Outcome.Done(true));
        assertThat(deployment.effects()).containsExactly("done", "done");
    }

    @ParameterizedTest
    @ValueSource(strings = {"EachTime.intercepted", "EachTime.notIntercepted"})
    void a_bean_that_is_created_for_each_call_is_called(String handler) {
        assertThat(deliver(handler)).isEqualTo(new Outcome.Done(true));
        assertThat(deliver(handler)).isEqualTo(new Outcome.Done(true));
        assertThat(deployment.effects()).containsExactly("done", "done");
    }

    private Outcome deliver(String handler) {
        return deployment.deliver("order.placed", handler, "o-1");
    }
}
