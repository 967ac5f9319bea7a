package io.outboxed.internal.handlers;

import io.outboxed.EventType;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Stereotype;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Handlers with each kind of demarcation, which all do the same work. */
final class DemarcatedHandlers {
    private DemarcatedHandlers() {}

    @EventType("order.placed")
    record Placed(String order) {}

    /** What the handlers do, as the test sets it. */
    @ApplicationScoped
    static class Work {
        @Inject
        Database database;

        private final List<Integer> statuses = new ArrayList<>();
        private Consumer<Database> task = database -> {};

        void task(Consumer<Database> newTask) {
            task = newTask;
        }

        List<Integer> statuses() {
            return statuses;
        }

        void run() {
            statuses.add(status());
            database.update("INSERT INTO effect VALUES ('done', '')");
            task.accept(database);
        }

        private static int status() {
            try {
                return NarayanaTransactions.MANAGER.getStatus();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static class CheckedException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    @ApplicationScoped
    static class Shop {
        @Inject
        Work work;

        void plain(@Observes Placed event) {
            work.run();
        }

        @Transactional
        void required(@Observes Placed event) {
            work.run();
        }

        @Transactional
        void checked(@Observes Placed event) throws CheckedException {
            work.run();
            throw new CheckedException();
        }

        @Transactional(TxType.MANDATORY)
        void mandatory(@Observes Placed event) {
            work.run();
        }

        @Transactional(TxType.SUPPORTS)
        void supports(@Observes Placed event) {
            work.run();
        }

        @Transactional(TxType.REQUIRES_NEW)
        void requiresNew(@Observes Placed event) {
            work.run();
        }

        @Transactional(TxType.NOT_SUPPORTED)
        void notSupported(@Observes Placed event) {
            work.run();
        }
    }

    /** Its method can have no interceptor. */
    @Dependent
    static final class Sealed {
        @Inject
        Work work;

        void handle(@Observes Placed event) {
            work.run();
        }
    }

    @Stereotype
    @Transactional(TxType.NEVER)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Gateway {}

    @Gateway
    @ApplicationScoped
    static class Remote {
        @Inject
        Work work;

        void send(@Observes Placed event) {
            work.run();
        }
    }

    @Stateless
    static class Session {
        @Inject
        Work work;

        void required(@Observes Placed event) {
            work.run();
        }

        @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
        void notSupported(@Observes Placed event) {
            work.run();
        }
    }

    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    static class SuspendingBase {
        @Inject
        Work work;

        void handle(@Observes Placed event) {
            work.run();
        }
    }

    /** A class's attribute applies to the methods that this class declares. */
    @Stateless
    static class Inheriting extends SuspendingBase {}

    static class PlainBase {
        @Inject
        Work work;

        void handle(@Observes Placed event) {
            work.run();
        }
    }

    @Stateless
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    static class Suspending extends PlainBase {}

    @Stateless
    @TransactionManagement(TransactionManagementType.BEAN)
    static class OwnSession {
        @Inject
        Work work;

        void handle(@Observes Placed event) {
            work.run();
        }
    }
}
