package io.outboxed.internal.capture;

import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One thread's transactions, as far as capture sees them: interposed synchronizations are called in the order of their
 * registration, and one that is registered while they run is called in the same phase.
 */
public final class SmallTransaction implements TransactionSynchronizationRegistry {
    private final List<Synchronization> synchronizations = new ArrayList<>();
    private Map<Object, Object> resources = new HashMap<>();
    private Object key = new Object();
    private int status = Status.STATUS_NO_TRANSACTION;
    /** What happens meanwhile. */
    Runnable onRegister = () -> {};

    public void begin() {
        status = Status.STATUS_ACTIVE;
    }

    /** @throws RuntimeException what a synchronization threw, after the rollback */
    public void commit() {
        try {
            for (int i = 0; i < synchronizations.size(); i++) {
                synchronizations.get(i).beforeCompletion();
            }
        } catch (RuntimeException e) {
            end(Status.STATUS_ROLLEDBACK);
            throw e;
        }
        end(status == Status.STATUS_ACTIVE ? Status.STATUS_COMMITTED : Status.STATUS_ROLLEDBACK);
    }

    public void rollback() {
        end(Status.STATUS_ROLLEDBACK);
    }

    /** As a server that still calls synchronizations after an earlier one has failed. */
    void commitAfterAFailedFlush() {
        synchronizations.add(0, new Synchronization() {
            @Override
            public void beforeCompletion() {
                setRollbackOnly();
            }

            @Override
            public void afterCompletion(int completed) {}
        });
        commit();
    }

    /** As a transaction manager whose thread is not associated with an imported transaction that it completes. */
    void commitOnAnotherThread() {
        status = Status.STATUS_NO_TRANSACTION;
        try {
            synchronizations.get(0).beforeCompletion();
        } catch (RuntimeException e) {
            end(Status.STATUS_ROLLEDBACK);
            throw e;
        }
        end(Status.STATUS_COMMITTED);
    }

    private void end(int completed) {
        status = completed;
        List.copyOf(synchronizations).forEach(synchronization -> synchronization.afterCompletion(completed));
        synchronizations.clear();
        resources = new HashMap<>();
        key = new Object();
        status = Status.STATUS_NO_TRANSACTION;
    }

    void status(int newStatus) {
        status = newStatus;
    }

    @Override
    public void registerInterposedSynchronization(Synchronization synchronization) {
        onRegister.run();
        synchronizations.add(synchronization);
    }

    @Override
    public Object getTransactionKey() {
        return status == Status.STATUS_NO_TRANSACTION ? null : key;
    }

    @Override
    public void putResource(Object key, Object value) {
        resources.put(key, value);
    }

    @Override
    public Object getResource(Object key) {
        if (status == Status.STATUS_NO_TRANSACTION) {
            throw new IllegalStateException("no transaction is active");
        }
        return resources.get(key);
    }

    @Override
    public int getTransactionStatus() {
        return status;
    }

    @Override
    public void setRollbackOnly() {
        if (status == Status.STATUS_NO_TRANSACTION) {
            throw new IllegalStateException("no transaction is active");
        }
        status = Status.STATUS_MARKED_ROLLBACK;
    }

    @Override
    public boolean getRollbackOnly() {
        return status == Status.STATUS_MARKED_ROLLBACK;
    }
}
