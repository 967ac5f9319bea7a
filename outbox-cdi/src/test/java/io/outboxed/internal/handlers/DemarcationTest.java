package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.handlers.DemarcatedHandlers.CheckedException;
import io.outboxed.internal.handlers.DemarcatedHandlers.Inheriting;
import io.outboxed.internal.handlers.DemarcatedHandlers.OwnSession;
import io.outboxed.internal.handlers.DemarcatedHandlers.Remote;
import io.outboxed.internal.handlers.DemarcatedHandlers.Sealed;
import io.outboxed.internal.handlers.DemarcatedHandlers.Session;
import io.outboxed.internal.handlers.DemarcatedHandlers.Shop;
import io.outboxed.internal.handlers.DemarcatedHandlers.Suspending;
import io.outboxed.internal.handlers.DemarcatedHandlers.Work;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.store.HandlerKey;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemarcationTest {
    private final Deployment deployment = Deployment.of(
            Shop.class,
            Work.class,
            Sealed.class,
            Remote.class,
            Session.class,
            OwnSession.class,
            Inheriting.class,
            Suspending.class);

    @AfterEach
    void stop() {
        deployment.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Shop.plain",
                "Shop.required",
                "Shop.mandatory",
                "Shop.supports",
                "Sealed.handle",
                "Session.required",
                "Suspending.handle"
            })
    void transactional_handlers_run_and_acknowledge_in_one_transaction(String handler) {
        assertThat(mode(handler)).isEqualTo(HandlerMode.TRANSACTIONAL);
        assertThat(deliver(handler)).isEqualTo(new Outcome.Done(true));
        assertThat(statuses()).containsExactly(Status.STATUS_ACTIVE);
        assertThat(deployment.effects()).containsExactly("done");
        assertThat(deployment.messages()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Shop.plain",
                "Shop.required",
                "Shop.mandatory",
                "Shop.supports",
                "Sealed.handle",
                "Session.required"
            })
    void a_failure_rolls_everything_back(String handler) {
        work().task(database -> {
            throw new IllegalStateException("as requested");
        });
        assertThat(deliver(handler))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.failure()).hasMessage("as requested"));
        assertNothingStays();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Shop.requiresNew",
                "Shop.notSupported",
                "Remote.send",
                "Session.notSupported",
                "OwnSession.handle",
                "Inheriting.handle"
            })
    void outside_handlers_are_acknowledged_later(String handler) {
        assertThat(mode(handler)).isEqualTo(HandlerMode.OUTSIDE);
        assertThat(deliver(handler)).isEqualTo(new Outcome.Done(false));
        assertThat(statuses())
                .containsExactly(
                        handler.equals("Shop.requiresNew") ? Status.STATUS_ACTIVE : Status.STATUS_NO_TRANSACTION);
        assertThat(deployment.effects()).containsExactly("done");
        assertThat(deployment.messages()).containsExactly("0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Shop.plain", "Shop.required", "Shop.mandatory", "Shop.supports", "Session.required"})
    void what_an_interrupted_handler_did_is_rolled_back_without_the_interrupt(String handler) {
        List<Boolean> interrupted = new ArrayList<>();
        deployment.get(Work.class).task(database -> {
            atTheEnd(() -> interrupted.add(Thread.currentThread().isInterrupted()));
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted");
        });

        assertThat(deliver(handler)).isInstanceOf(Outcome.Failed.class);

        assertThat(interrupted).containsExactly(false);
        assertNothingStays();
    }

    @Test
    void a_transaction_that_an_interrupted_handler_has_left_open_is_rolled_back_without_the_interrupt() {
        List<Boolean> interrupted = new ArrayList<>();
        deployment.get(Work.class).task(database -> {
            begin();
            atTheEnd(() -> interrupted.add(Thread.currentThread().isInterrupted()));
            Thread.currentThread().interrupt();
        });

        deliver("Shop.notSupported");

        assertThat(interrupted).containsExactly(false);
    }

    private static void begin() {
        try {
            NarayanaTransactions.MANAGER.begin();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void atTheEnd(Runnable check) {
        try {
            NarayanaTransactions.MANAGER.getTransaction().registerSynchronization(new Synchronization() {
                @Override
                public void beforeCompletion() {}

                @Override
                public void afterCompletion(int status) {
                    check.run();
                }
            });
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_checked_exception_rolls_back_as_well() {
        assertThat(deliver("Shop.checked"))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.failure()).isInstanceOf(CheckedException.class));
        assertNothingStays();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Shop.plain", "Shop.required", "Session.required"})
    void a_transaction_that_is_marked_for_rollback_is_a_failure(String handler) {
        work().task(database -> deployment.get(NarayanaTransactions.class).setRollbackOnly());
        assertThat(deliver(handler))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.failure())
                                .hasMessageStartingWith("OUTBOX-0541 " + handler + " returned normally but"));
        assertNothingStays();
    }

    @Test
    void a_handler_that_ends_the_transaction_has_failed() {
        work().task(database -> manager(transactions -> transactions.rollback()));
        assertThat(deliver("Shop.plain"))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.failure()).hasMessageStartingWith("OUTBOX-0541"));
        assertNothingStays();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Shop.plain", "Shop.required", "Session.required"})
    void a_handler_that_commits_the_transaction_has_failed_and_stored_nothing(String handler) {
        work().task(database -> manager(transactions -> transactions.commit()));
        assertThat(deliver(handler))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.failure())
                                .hasMessageStartingWith("OUTBOX-0541 " + handler + " tried to commit"));
        assertNothingStays();
    }

    @Test
    void a_transaction_that_is_left_open_is_rolled_back_and_a_failure() {
        work().task(database -> manager(transactions -> {
            transactions.begin();
            database.update("INSERT INTO effect VALUES ('lost', '')");
        }));
        assertThat(deliver("Shop.notSupported"))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.failure()).hasMessageStartingWith("OUTBOX-0542"));
        assertThat(deployment.effects()).containsExactly("done");
        assertThat(deployment.get(NarayanaTransactions.class).status()).isEqualTo(Status.STATUS_NO_TRANSACTION);
    }

    /** As the flush of an ORM does. */
    @ParameterizedTest
    @ValueSource(strings = {"Shop.plain", "Shop.required", "Session.required"})
    void what_fails_before_the_commit_is_the_handlers_failure(String handler) {
        work().task(database -> deployment.get(NarayanaTransactions.class).listen(new FailingFlush()));
        assertThat(deliver(handler))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.failure()).hasMessage("flush refused"));
        assertNothingStays();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Shop.plain", "Shop.required", "Session.required"})
    void after_a_failed_commit_only_the_database_knows_the_outcome(String handler) {
        work().task(database -> database.loseNextCommit());
        assertThat(deliver(handler)).isInstanceOf(Outcome.Unknown.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Shop.plain", "Shop.required", "Session.required"})
    void so_it_is_if_synchronizations_were_told_of_a_commit_that_the_driver_does_not_confirm(String handler) {
        work().task(database -> database.refuseCommits());
        assertThat(deliver(handler))
                .isInstanceOfSatisfying(
                        Outcome.Unknown.class,
                        unknown -> assertThat(unknown.failure()).isInstanceOf(HeuristicMixedException.class));
        assertNothingStays();
    }

    private static final class FailingFlush implements Synchronization {
        @Override
        public void beforeCompletion() {
            throw new IllegalStateException("flush refused");
        }

        @Override
        public void afterCompletion(int status) {
            // nothing to clean up
        }
    }

    private interface Action {
        void on(jakarta.transaction.TransactionManager transactions) throws Exception;
    }

    private static void manager(Action action) {
        try {
            action.on(NarayanaTransactions.MANAGER);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void assertNothingStays() {
        assertThat(deployment.effects()).isEmpty();
        assertThat(deployment.messages()).containsExactly("0");
        assertThat(deployment.get(NarayanaTransactions.class).status()).isEqualTo(Status.STATUS_NO_TRANSACTION);
    }

    private Work work() {
        return deployment.get(Work.class);
    }

    private List<Integer> statuses() {
        return work().statuses();
    }

    private HandlerMode mode(String handler) {
        return deployment.deliveries().mode(new HandlerKey("order.placed", handler));
    }

    private Outcome deliver(String handler) {
        return deployment.deliver("order.placed", handler, "o-1");
    }
}
