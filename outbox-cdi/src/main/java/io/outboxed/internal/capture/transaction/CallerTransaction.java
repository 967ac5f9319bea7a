package io.outboxed.internal.capture.transaction;

import io.outboxed.OutboxException;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** The calling thread's transaction. Those who need it say what is wrong with it, in their own words. */
@ApplicationScoped
public class CallerTransaction {

    @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
    TransactionSynchronizationRegistry registry;

    /** Called by the container. */
    CallerTransaction() {}

    /** Without a container. */
    public CallerTransaction(TransactionSynchronizationRegistry registry) {
        this.registry = registry;
    }

    public TransactionSynchronizationRegistry registry() {
        return registry;
    }

    /**
     * @param marked gets the reason, if it is the outbox that has marked the transaction for rollback, or null
     * @param completing gets the status of a transaction that is being completed or is over
     */
    public void requireActive(
            Supplier<OutboxException> none,
            Function<Throwable, OutboxException> marked,
            IntFunction<OutboxException> completing) {
        int status = registry.getTransactionStatus();
        switch (status) {
            case Status.STATUS_ACTIVE -> {}
            case Status.STATUS_NO_TRANSACTION -> throw none.get();
            case Status.STATUS_MARKED_ROLLBACK -> throw marked.apply(reason());
            default -> throw completing.apply(status);
        }
    }

    public boolean isActive() {
        return registry.getTransactionStatus() == Status.STATUS_ACTIVE;
    }

    /** Equal as long as it is the same transaction. */
    public Object key() {
        return registry.getTransactionKey();
    }

    /** @param begun the key of the transaction in which the work was begun */
    public void requireSame(Object begun, Supplier<OutboxException> another) {
        if (!begun.equals(key())) {
            throw another.get();
        }
    }

    /** Whether it is marked for rollback, by whomever: nothing that is published in it would ever be delivered. */
    public boolean isMarked() {
        return RollbackMark.isSet(registry);
    }

    /** Why the outbox has marked it; null if it has not. There has to be a transaction. */
    public Throwable reason() {
        return RollbackMark.of(registry).reason();
    }

    public void mark(Throwable failure) {
        RollbackMark.set(registry, failure);
    }

    /** @return what the statement returns; if it fails, the transaction is marked for rollback */
    public <T> T orMark(Supplier<T> statement, Function<RuntimeException, OutboxException> failure) {
        try {
            return statement.get();
        } catch (RuntimeException e) {
            // a deadlock may have rolled back what the transaction did before: it must not commit the rest
            OutboxException failed = failure.apply(e);
            mark(failed);
            throw failed;
        }
    }
}
