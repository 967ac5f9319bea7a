package io.outboxed.internal.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.Idempotent;
import io.outboxed.Inbox;
import io.outboxed.OutboxException;
import io.outboxed.OutboxMessage;
import io.outboxed.internal.capture.InboxRows;
import io.outboxed.internal.capture.SmallTransaction;
import io.outboxed.internal.capture.transaction.CallerTransaction;
import io.outboxed.internal.capture.transaction.RollbackMark;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.SessionScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import java.io.IOException;
import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls by hand and by annotation, over rows in memory. */
class IdempotentInterceptorTest {
    private static final UUID MESSAGE = new UUID(7, 1);

    @ApplicationScoped
    public static class Accounts {
        final List<Object> effects = new ArrayList<>();

        @Inject
        Given given;

        @Idempotent
        public void book(@Idempotent.Id Object payment, long cents) {
            effects.add(payment + "=" + cents);
        }

        @Idempotent(receiver = "statements")
        public void print(@Idempotent.Id Object payment) {
            effects.add("print " + payment);
        }

        @Idempotent
        public void delivered() {
            effects.add("delivered");
        }

        @Idempotent
        public void fail(@Idempotent.Id String id) throws IOException {
            throw new IOException("no");
        }

        @Idempotent
        public void mark(@Idempotent.Id String id) {
            given.transaction().setRollbackOnly();
        }

        @Idempotent
        public void end(@Idempotent.Id String id) throws IOException {
            given.transaction().rollback();
            throw new IOException("no");
        }

        public List<Object> effects() {
            return effects;
        }
    }

    @SessionScoped
    public static class Basket implements Serializable {
        private static final long serialVersionUID = 1L;

        @Idempotent
        public void fill(@Idempotent.Id String id) {}
    }

    public abstract static class Projection {
        final List<Object> seen = new ArrayList<>();

        @Idempotent
        public void on(@Idempotent.Id Object id) {
            seen.add(id);
        }

        public List<Object> seen() {
            return seen;
        }
    }

    @ApplicationScoped
    public static class Sales extends Projection {}

    @ApplicationScoped
    public static class Stock extends Projection {}

    @ApplicationScoped
    public static class Given {
        private final SmallTransaction transaction = new SmallTransaction();
        private final Set<String> rows = new HashSet<>();
        private boolean delivering;

        SmallTransaction transaction() {
            return transaction;
        }

        Set<String> rows() {
            return rows;
        }

        void delivery() {
            delivering = true;
        }

        @Produces
        @ApplicationScoped
        TransactionalInbox inbox() {
            TransactionalInbox inbox = new TransactionalInbox();
            inbox.transaction = new CallerTransaction(transaction);
            inbox.rows = new InboxRows() {
                @Override
                public boolean isFirstCall(String receiver, String messageId) {
                    return rows.add(receiver + " " + messageId);
                }
            };
            return inbox;
        }

        @Produces
        OutboxMessage message() {
            if (!delivering) {
                throw new OutboxException("OUTBOX-0543", "nothing is being delivered");
            }
            return IdempotentInterceptorTest.message(1);
        }
    }

    private final WeldContainer container = new Weld()
            .disableDiscovery()
            .extensions(new IdempotentMethodsExtension())
            .addBeanClasses(
                    Accounts.class, Basket.class, Sales.class, Stock.class, Given.class, IdempotentInterceptor.class)
            .initialize();
    private final Given given = container.select(Given.class).get();
    private final SmallTransaction transaction = given.transaction();
    private final Accounts accounts = container.select(Accounts.class).get();
    private final Inbox inbox = container.select(Inbox.class).get();

    @AfterEach
    void close() {
        container.close();
    }

    @Test
    void a_repeated_call_is_skipped_for_its_id_and_its_method_only() {
        transaction.begin();
        accounts.book("p-1", 5);
        accounts.book("p-1", 5);
        accounts.book(MESSAGE, 6);
        accounts.print("p-1");
        accounts.print("p-1");

        assertThat(accounts.effects()).containsExactly("p-1=5", MESSAGE + "=6", "print p-1");
        assertThat(given.rows())
                .containsExactlyInAnyOrder(
                        Accounts.class.getName() + "#book p-1",
                        Accounts.class.getName() + "#book " + MESSAGE,
                        "statements p-1");
    }

    /** Its text ends in the attempt. */
    @Test
    void an_attempt_is_recognised_by_the_id_of_its_message() {
        transaction.begin();
        accounts.book(message(1), 5);
        accounts.book(message(2), 5);

        assertThat(accounts.effects()).hasSize(1);
        assertThat(given.rows()).containsExactly(Accounts.class.getName() + "#book " + MESSAGE);
    }

    private static OutboxMessage message(int attempt) {
        return new OutboxMessage(MESSAGE, "paid", "", "", attempt, Instant.EPOCH, Map.of(), "{}", null);
    }

    @Test
    void beans_that_inherit_one_method_are_different_receivers() {
        Sales sales = container.select(Sales.class).get();
        Stock stock = container.select(Stock.class).get();
        transaction.begin();
        sales.on("1");
        stock.on("1");
        stock.on("1");

        assertThat(sales.seen()).containsExactly("1");
        assertThat(stock.seen()).containsExactly("1");
    }

    @Test
    void once_returns_whether_the_effect_ran() {
        List<String> effects = new ArrayList<>();
        transaction.begin();

        assertThat(inbox.once(MESSAGE, "mails", () -> effects.add("mail"))).isTrue();
        assertThat(inbox.once(MESSAGE.toString(), "mails", () -> effects.add("mail")))
                .isFalse();
        assertThat(inbox.once(MESSAGE, "accounts", () -> effects.add("booking")))
                .isTrue();
        assertThat(effects).containsExactly("mail", "booking");
    }

    @Test
    void without_an_id_parameter_the_id_is_that_of_the_delivered_message() {
        given.delivery();
        transaction.begin();
        accounts.delivered();
        accounts.delivered();

        assertThat(accounts.effects()).containsExactly("delivered");
        assertThat(given.rows()).containsExactly(Accounts.class.getName() + "#delivered " + MESSAGE);
    }

    @Test
    void a_call_without_an_id_is_rejected() {
        transaction.begin();

        assertThatThrownBy(accounts::delivered)
                .hasMessageStartingWith("OUTBOX-0144")
                .hasMessageContaining("Accounts.delivered()");
        assertThatThrownBy(() -> accounts.book(null, 1)).hasMessageStartingWith("OUTBOX-0144");
        Object withoutText = new Object() {
            @Override
            public String toString() {
                return null;
            }
        };
        assertThatThrownBy(() -> accounts.book(withoutText, 1)).hasMessageStartingWith("OUTBOX-0144");
        assertThatThrownBy(() -> accounts.book(new byte[] {1}, 1))
                .as("a repeated call has another text")
                .hasMessageStartingWith("OUTBOX-0149");
        assertThat(accounts.effects()).isEmpty();
    }

    @Test
    void a_failed_effect_marks_the_transaction_for_rollback() {
        transaction.begin();
        assertThatThrownBy(() -> accounts.fail("1")).isInstanceOf(IOException.class);
        assertThat(transaction.getTransactionStatus()).isEqualTo(Status.STATUS_MARKED_ROLLBACK);
        assertThatThrownBy(() -> accounts.book("2", 1))
                .hasMessageStartingWith("OUTBOX-0141")
                .hasCauseInstanceOf(IOException.class);

        transaction.rollback();
        transaction.begin();
        assertThatThrownBy(() -> inbox.once("1", "mails", () -> {
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(transaction.getTransactionStatus()).isEqualTo(Status.STATUS_MARKED_ROLLBACK);
    }

    @Test
    void an_effect_that_can_not_be_stored_any_more_is_no_success_although_it_returned() {
        transaction.begin();
        assertThatThrownBy(() -> accounts.mark("1"))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0141 the effect of " + Accounts.class.getName() + "#mark was run");
        transaction.rollback();

        transaction.begin();
        IOException hidden = new IOException("no");
        assertThatThrownBy(() -> inbox.once("1", "mails", () -> RollbackMark.set(transaction, hidden)))
                .hasMessageStartingWith("OUTBOX-0141 the effect of mails was run")
                .hasCause(hidden);
        transaction.rollback();
    }

    @Test
    void an_effect_whose_transaction_has_ended_may_be_stored_or_not() {
        transaction.begin();
        assertThatThrownBy(() -> inbox.once("1", "mails", transaction::rollback))
                .hasMessageStartingWith(
                        "OUTBOX-0141 the effect of mails was run, but the application or a timeout has ended its"
                                + " transaction");

        transaction.begin();
        assertThatThrownBy(() -> inbox.once("2", "mails", () -> {
                    transaction.commit();
                    transaction.begin();
                }))
                .as("another one is active")
                .hasMessageStartingWith(
                        "OUTBOX-0141 the effect of mails was run, but the application or a timeout has ended its"
                                + " transaction");
    }

    @Test
    void an_effect_that_ends_its_own_transaction_and_throws_reports_its_exception() {
        transaction.begin();
        assertThatThrownBy(() -> inbox.once("1", "mails", () -> {
                    transaction.rollback();
                    throw new IllegalStateException("from the effect");
                }))
                .hasMessage("from the effect");

        transaction.begin();
        assertThatThrownBy(() -> accounts.end("1")).isInstanceOf(IOException.class);
    }

    @Test
    void without_an_active_transaction_nothing_runs_and_the_error_says_what_to_do() {
        assertThatThrownBy(() -> accounts.book("p-1", 5))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0140")
                .hasMessageContaining("@Transactional");
        transaction.begin();
        transaction.setRollbackOnly();
        assertThatThrownBy(() -> accounts.book("p-1", 5)).hasMessageStartingWith("OUTBOX-0141");

        assertThat(accounts.effects()).isEmpty();
        assertThat(given.rows()).isEmpty();
    }

    @Test
    void null_is_rejected_before_anything_runs() {
        transaction.begin();
        assertThatThrownBy(() -> inbox.once((String) null, "mails", () -> {})).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> inbox.once("1", null, () -> {})).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> inbox.once("1", "mails", null)).isInstanceOf(NullPointerException.class);

        assertThat(given.rows()).isEmpty();
    }
}
