package io.outboxed.internal.handlers.invocation;

import io.outboxed.OutboxException;
import io.outboxed.OutboxMessage;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.store.TransactionalAck;
import io.outboxed.internal.tracing.Propagators;
import io.outboxed.internal.tracing.Tracing;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Calls one handler, and only that one, and returns the outcome. */
@Dependent
public class ObserverInvocation {
    private static final int TRANSACTION_OUTLIVES_HANDLER_SECONDS = 5;
    /** Servers know no transaction without a timeout, and some count its milliseconds in an int. */
    private static final int LONGEST_TRANSACTION_SECONDS =
            Math.toIntExact(Duration.ofDays(20).toSeconds());

    private final Messages messages;
    private final Instance<TransactionalAck> ack;
    private final Transactions transactions;
    private final Instance<RequestContextController> requestContexts;
    private final OutboxConfig config;
    private final Tracing tracing;
    private final Propagators propagators;
    private final BeanManager beans;
    private final Queue<RequestContextController> idleContexts = new ConcurrentLinkedQueue<>();
    private volatile TransactionalAck cachedAck;

    @Inject
    ObserverInvocation(
            Messages messages,
            Instance<TransactionalAck> ack,
            Transactions transactions,
            Instance<RequestContextController> requestContexts,
            OutboxConfig config,
            Tracing tracing,
            Propagators propagators,
            BeanManager beans) {
        this.messages = messages;
        this.ack = ack;
        this.transactions = transactions;
        this.requestContexts = requestContexts;
        this.config = config;
        this.tracing = tracing;
        this.propagators = propagators;
        this.beans = beans;
    }

    public Outcome call(Handler handler, Delivery delivery) {
        return call(handler, delivery, List.of());
    }

    /** @param behind the other deliveries of a batch; the context and the span are those of the first one */
    public Outcome call(Handler handler, Delivery first, List<Delivery> behind) {
        TransactionalInvocation attempt = new TransactionalInvocation(first, behind, ack(), transactions);
        Thread thread = Thread.currentThread();
        ClassLoader classes = thread.getContextClassLoader();
        try {
            return traced(handler, messages.message(first), behind, attempt);
        } catch (Throwable unreadable) {
            return threw(attempt, unreadable);
        } finally {
            Thread.interrupted();
            // of the next handler on this thread, and of the tasks that the executor is given by it
            thread.setContextClassLoader(classes);
        }
    }

    private Outcome traced(
            Handler handler, OutboxMessage message, List<Delivery> behind, TransactionalInvocation attempt) {
        Tracing.StartedSpan span = tracing.handling(message, handler.key().handler());
        try {
            Outcome outcome = outcome(handler, message, behind, attempt);
            outcome.errorType().ifPresent(span::failed);
            return outcome;
        } finally {
            span.end();
        }
    }

    private Outcome outcome(
            Handler handler, OutboxMessage message, List<Delivery> behind, TransactionalInvocation attempt) {
        try {
            Object event =
                    handler.batch() ? messages.batch(handler, message, behind) : messages.event(handler, message);
            notifyAlone(new CurrentDelivery(handler, message, attempt), DeliveredEvent.of(handler, event));
            return returned(handler, attempt);
        } catch (Throwable failure) {
            return threw(attempt, failure);
        }
    }

    /** Cached, because each {@code get} creates a dependent object. */
    private TransactionalAck ack() {
        if (cachedAck == null) {
            cachedAck = ack.get();
        }
        return cachedAck;
    }

    /** Cached too: one for each concurrent call. */
    private RequestContextController requestContext() {
        RequestContextController idle = idleContexts.poll();
        return idle == null ? requestContexts.get() : idle;
    }

    private void notifyAlone(CurrentDelivery delivery, DeliveredEvent event) throws Exception {
        RequestContextController context = requestContext();
        boolean activated = context.activate();
        Runnable undo = () -> {};
        try {
            undo = propagators.restore(delivery.message());
            delivery.begin();
            transactions.timeout(transactionSeconds(config.handler().timeout()));
            demarcated(delivery, event);
            requireNoTransactionLeft(delivery.handler());
        } finally {
            CurrentDelivery.end();
            try {
                endTransactions();
            } finally {
                undo.run();
                if (activated) {
                    context.deactivate();
                }
                idleContexts.add(context);
            }
        }
    }

    private void demarcated(CurrentDelivery delivery, DeliveredEvent event) throws Exception {
        if (delivery.handler().demarcation() == Demarcation.AROUND) {
            delivery.attempt().run(() -> {
                notified(delivery, event);
                return null;
            });
        } else {
            notified(delivery, event);
        }
    }

    private void notified(CurrentDelivery delivery, DeliveredEvent event) {
        delivery.bean().prepare(beans);
        delivery.handler().observer().notify(event);
        delivery.bean().requireCreated();
    }

    /** @param timeout of the call; zero: none */
    static int transactionSeconds(Duration timeout) {
        return timeout.isZero()
                ? LONGEST_TRANSACTION_SECONDS
                : Math.toIntExact(timeout.toSeconds()) + TRANSACTION_OUTLIVES_HANDLER_SECONDS;
    }

    private void requireNoTransactionLeft(Handler handler) {
        if (transactions.status() != Status.STATUS_NO_TRANSACTION) {
            throw new OutboxException(
                    "OUTBOX-0542",
                    handler.key().handler() + " left a transaction open (status " + transactions.status()
                            + "). It is rolled back and counts as a failure; commit it in the handler");
        }
    }

    private void endTransactions() throws SystemException {
        try {
            if (transactions.status() != Status.STATUS_NO_TRANSACTION) {
                // of a late call: H2 closes its file, and with it the database, if an interrupted thread writes
                Thread.interrupted();
                transactions.rollback();
            }
        } finally {
            transactions.timeout(0);
        }
    }

    private static Outcome returned(Handler handler, TransactionalInvocation attempt) {
        return switch (attempt.outcome()) {
            case COMMITTED -> new Outcome.Done(true);
            // no transaction was begun, or a fallback returned for attempts that were rolled back
            case NONE, ROLLED_BACK -> new Outcome.Done(false);
            case ALL_ROLLED_BACK ->
                new Outcome.Failed(new OutboxException(
                        "OUTBOX-0545",
                        handler.key().handler() + " returned normally but the transaction started by its @Transactional"
                                + " was rolled back; this counts as a failure"));
            case LOST -> new Outcome.Lost(swallowed(handler, "the row of its message had changed"));
            case NOT_BEGUN ->
                new Outcome.NoTransaction(
                        swallowed(handler, "its transaction could not begin, or could not claim its row"));
            case UNKNOWN ->
                new Outcome.Unknown(
                        swallowed(handler, "its transaction could not commit, or the claim of its row was refused"));
        };
    }

    private static OutboxException swallowed(Handler handler, String what) {
        return new OutboxException(
                "OUTBOX-0546",
                handler.key().handler() + " returned normally although " + what
                        + ": a fallback swallowed the exception. The row is read again and no attempt is counted");
    }

    private static Outcome threw(TransactionalInvocation attempt, Throwable thrown) {
        // a container throws its own exception if a transaction that it commits is rolled back
        Throwable failure = attempt.rollbackCause() == null ? thrown : attempt.rollbackCause();
        return switch (attempt.outcome()) {
            // success is a fact: an exception after the commit, for example from @Timeout, can't undo it
            case COMMITTED ->
                isHeuristic(Unwrapped.of(failure))
                        ? new Outcome.Unknown(Unwrapped.of(failure))
                        : new Outcome.Done(true);
            case NONE, ROLLED_BACK, ALL_ROLLED_BACK -> new Outcome.Failed(cause(attempt, Unwrapped.of(failure)));
            case LOST -> new Outcome.Lost(Unwrapped.of(failure));
            case NOT_BEGUN -> new Outcome.NoTransaction(Unwrapped.of(failure));
            case UNKNOWN -> new Outcome.Unknown(Unwrapped.of(failure));
        };
    }

    /** From the commit of a container, which may have told its synchronizations of a success before. */
    private static boolean isHeuristic(Throwable failure) {
        return failure instanceof HeuristicMixedException || failure instanceof HeuristicRollbackException;
    }

    /**
     * A circuit that the handler's own failures have opened between two tries of {@code @Retry} is not why the delivery
     * failed.
     */
    private static Throwable cause(TransactionalInvocation attempt, Throwable thrown) {
        return RefusedCall.is(thrown) && attempt.failure() != null ? Unwrapped.of(attempt.failure()) : thrown;
    }
}
