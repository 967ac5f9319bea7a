package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.EventType;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfig.Handler;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.store.ClaimLostException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.transaction.Synchronization;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.microprofile.faulttolerance.Fallback;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.eclipse.microprofile.faulttolerance.Timeout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TransactionPerTryTest {
    private final Deployment deployment = Deployment.of(Shop.class);

    @AfterEach
    void stop() {
        deployment.close();
    }

    @EventType("order.placed")
    record Placed(String order) {}

    @EventType("slow")
    record Slow(String order) {}

    @EventType("closed")
    record Closed(String order) {}

    @EventType("stopped")
    record Stopped(String order) {}

    @ApplicationScoped
    static class Shop {
        @Inject
        Database database;

        private final List<Object> transactions = new ArrayList<>();
        private int failures;
        private Boolean interruptedAtTheEnd;
        private boolean losesTransaction;
        private final List<Boolean> interruptedTries = new ArrayList<>();

        List<Boolean> interruptedTries() {
            return interruptedTries;
        }

        void loseTransaction() {
            losesTransaction = true;
        }

        void failNext(int times) {
            failures = times;
        }

        List<Object> transactions() {
            return transactions;
        }

        Boolean interruptedAtTheEnd() {
            return interruptedAtTheEnd;
        }

        void plain(@Observes Placed event) {
            effect("plain");
        }

        @Retry(maxRetries = 3, delay = 0, jitter = 0)
        void retries(@Observes Placed event) {
            effect("retries");
        }

        private void hidden(@Observes Placed event) {
            effect("hidden");
        }

        @Retry(maxRetries = 1, delay = 0, jitter = 0)
        @Fallback(fallbackMethod = "instead")
        void falls(@Observes Placed event) {
            effect("falls");
        }

        private void instead(Placed event) {
            database.update("INSERT INTO effect VALUES ('fallback', 'none')");
        }

        @Timeout(50)
        void late(@Observes Slow event) {
            effect("late");
            long end = System.nanoTime() + 200_000_000L;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        }

        /** As an observer during BEFORE_COMPLETION, whose exception the CDI container only logs. */
        void closes(@Observes Closed event) throws Exception {
            effect("closes");
            NarayanaTransactions.MANAGER.getTransaction().registerSynchronization(new Synchronization() {
                @Override
                public void beforeCompletion() {
                    if (losesTransaction) {
                        database.update("ROLLBACK");
                    }
                    database.update("INSERT INTO effect VALUES ('at the end', 'none')");
                }

                @Override
                public void afterCompletion(int status) {}
            });
        }

        @Transactional
        void closesInItsOwn(@Observes Closed event) throws Exception {
            closes(event);
        }

        void stopped(@Observes Stopped event) throws Exception {
            effect("stopped");
            NarayanaTransactions.MANAGER.getTransaction().registerSynchronization(new Synchronization() {
                @Override
                public void beforeCompletion() {}

                @Override
                public void afterCompletion(int status) {
                    interruptedAtTheEnd = Thread.currentThread().isInterrupted();
                }
            });
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted");
        }

        @Retry(maxRetries = 1, delay = 0, jitter = 0)
        void stoppedTwice(@Observes Stopped event) {
            interruptedTries.add(Thread.currentThread().isInterrupted());
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted");
        }

        private void effect(String what) {
            Object transaction = transaction();
            transactions.add(transaction);
            database.update("INSERT INTO effect VALUES (?, ?)", what, String.valueOf(transaction));
            if (failures-- > 0) {
                throw new IllegalStateException("as requested");
            }
        }

        private static Object transaction() {
            try {
                return NarayanaTransactions.MANAGER.getTransaction();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void a_success_acknowledges_the_message_in_the_handlers_transaction() {
        assertThat(deployment.deliver("order.placed", "Shop.plain", "o-1")).isEqualTo(new Outcome.Done(true));
        assertThat(deployment.effects()).containsExactly("plain");
        assertThat(deployment.messages()).isEmpty();
    }

    /** The thread belongs to the server, which may use it for something else afterwards. */
    @Test
    void the_transaction_outlives_the_call_and_the_next_one_on_this_thread_has_the_usual_time() {
        deployment.deliver("order.placed", "Shop.plain", "o-1");

        assertThat(deployment.get(NarayanaTransactions.class).timeouts()).containsExactly(35, 0);
    }

    static final class TenMinutes {
        @Produces
        OutboxConfig config() {
            Handler usual = Handler.DEFAULTS;
            return OutboxConfig.DEFAULTS.withHandler(
                    new Handler(Duration.ofMinutes(10), usual.downAfter(), usual.deferDelay(), usual.batchSize()));
        }
    }

    @Test
    void it_outlives_a_call_that_may_take_longer_too() {
        try (Deployment patient = Deployment.configured(TenMinutes.class, Shop.class)) {
            patient.deliver("order.placed", "Shop.plain", "o-1");

            assertThat(patient.get(NarayanaTransactions.class).timeouts()).containsExactly(605, 0);
        }
    }

    @Test
    void a_failure_leaves_neither_effect_nor_claim() {
        deployment.get(Shop.class).failNext(1);
        assertThat(deployment.deliver("order.placed", "Shop.plain", "o-1"))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.failure()).hasMessage("as requested"));
        assertThat(deployment.effects()).isEmpty();
        assertThat(deployment.messages()).containsExactly("0");
    }

    @Test
    void a_private_observer_has_a_transaction_too() {
        assertThat(deployment.deliver("order.placed", "Shop.hidden", "o-1")).isEqualTo(new Outcome.Done(true));
        assertThat(deployment.effects()).containsExactly("hidden");
        assertThat(deployment.messages()).isEmpty();
    }

    @Test
    void each_try_of_fault_tolerance_has_a_new_transaction_and_only_the_last_ones_rows_stay() {
        Shop shop = deployment.get(Shop.class);
        shop.failNext(3);
        assertThat(deployment.deliver("order.placed", "Shop.retries", "o-1")).isEqualTo(new Outcome.Done(true));
        assertThat(shop.transactions()).hasSize(4).doesNotHaveDuplicates();
        assertThat(deployment.effects()).hasSize(1);
        assertThat(deployment.messages()).isEmpty();
    }

    @Test
    void after_the_last_try_the_failure_is_the_handlers_own() {
        deployment.get(Shop.class).failNext(4);
        assertThat(deployment.deliver("order.placed", "Shop.retries", "o-1"))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.failure()).hasMessage("as requested"));
        assertThat(deployment.effects()).isEmpty();
        assertThat(deployment.messages()).containsExactly("0");
    }

    @Test
    void a_fallback_that_answers_for_the_failed_tries_is_done_but_not_acknowledged() {
        deployment.get(Shop.class).failNext(2);
        assertThat(deployment.deliver("order.placed", "Shop.falls", "o-1")).isEqualTo(new Outcome.Done(false));
        assertThat(deployment.effects()).containsExactly("fallback");
        assertThat(deployment.messages()).containsExactly("0");
    }

    @Test
    void a_handler_that_is_done_before_its_timeout_is_noticed_is_acknowledged() {
        assertThat(deployment.deliver("slow", "Shop.late", "o-1")).isEqualTo(new Outcome.Done(true));
        assertThat(deployment.effects()).containsExactly("late");
        assertThat(deployment.messages()).isEmpty();
        assertThat(Thread.interrupted()).isFalse();
    }

    /** H2 closes its file, and with it the database, if an interrupted thread writes. */
    @Test
    void a_handler_that_fails_because_it_was_interrupted_is_rolled_back_without_the_interrupt() {
        assertThat(deployment.deliver("stopped", "Shop.stopped", "o-1")).isInstanceOf(Outcome.Failed.class);
        assertThat(deployment.get(Shop.class).interruptedAtTheEnd()).isFalse();
        assertThat(deployment.effects()).isEmpty();
    }

    /** A call that is late is interrupted only once. */
    @Test
    void the_next_try_of_an_interrupted_handler_is_interrupted_too() {
        assertThat(deployment.deliver("stopped", "Shop.stoppedTwice", "o-1")).isInstanceOf(Outcome.Failed.class);
        assertThat(deployment.get(Shop.class).interruptedTries())
                .startsWith(false)
                .doesNotContainSequence(false, false);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void a_lost_mark_reaches_the_relay_although_it_was_retried() {
        deployment.ack().beforeClaim(() -> deployment.database().update("DELETE FROM message"));
        assertThat(deployment.deliver("order.placed", "Shop.retries", "o-1")).isInstanceOf(Outcome.Lost.class);
        assertThat(deployment.effects()).isEmpty();
    }

    @Test
    void a_lost_mark_is_not_hidden_by_a_fallback() {
        deployment.ack().beforeClaim(() -> deployment.database().update("DELETE FROM message"));
        assertThat(deployment.deliver("order.placed", "Shop.falls", "o-1")).isInstanceOf(Outcome.Lost.class);
    }

    /** As MySQL after a deadlock: everything so far is rolled back, and the next statement succeeds. */
    @Test
    void work_that_was_silently_rolled_back_is_not_committed() {
        deployment.ack().beforeAcknowledge(() -> deployment.database().update("UPDATE message SET version = 0"));
        assertThat(deployment.deliver("order.placed", "Shop.plain", "o-1")).isInstanceOf(Outcome.Lost.class);
        assertThat(deployment.effects()).isEmpty();
        assertThat(deployment.messages()).containsExactly("0");
    }

    /** The same after the handler has returned. */
    @Test
    void nor_is_work_that_was_silently_rolled_back_while_the_commit_was_prepared() {
        for (String handler : List.of("Shop.closes", "Shop.closesInItsOwn")) {
            deployment.get(Shop.class).loseTransaction();
            assertThat(deployment.deliver("closed", handler, "o-1"))
                    .as(handler)
                    .isInstanceOfSatisfying(
                            Outcome.Lost.class,
                            lost -> assertThat(lost.failure()).isInstanceOf(ClaimLostException.class));
            assertThat(deployment.effects()).isEmpty();
            assertThat(deployment.messages()).containsExactly("0");
        }
    }

    @Test
    void a_database_that_does_not_answer_at_the_end_is_not_the_handlers_failure() {
        StoreException gone = new StoreException("no connection", true, null);
        deployment.ack().beforeAcknowledge(() -> {
            throw gone;
        });
        for (String handler : List.of("Shop.closes", "Shop.closesInItsOwn")) {
            assertThat(deployment.deliver("closed", handler, "o-1")).as(handler).isEqualTo(new Outcome.Unknown(gone));
            assertThat(deployment.effects()).isEmpty();
            assertThat(deployment.messages()).containsExactly("0");
        }
    }

    @Test
    void what_is_done_while_the_commit_is_prepared_is_part_of_the_delivery() {
        for (String handler : List.of("Shop.closes", "Shop.closesInItsOwn")) {
            assertThat(deployment.deliver("closed", handler, "o-1")).as(handler).isEqualTo(new Outcome.Done(true));
            assertThat(deployment.messages()).isEmpty();
        }
        assertThat(deployment.effects()).containsExactly("at the end", "at the end", "closes", "closes");
    }

    @Test
    void an_event_that_the_application_fires_itself_is_simply_observed() {
        deployment.fire(new Placed("o-2"));
        assertThat(deployment.get(Shop.class).transactions()).hasSize(4).containsOnlyNulls();
    }
}
