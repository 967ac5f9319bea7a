package io.outboxed.internal.testkit.standalone;

import io.outboxed.internal.boot.RelayStarter;
import io.outboxed.internal.signal.HandlerRegistrar;
import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import jakarta.transaction.InvalidTransactionException;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.util.Optional;

/** For an event that is published while the application starts. No bean in a server, where the relay does this. */
class StandaloneRegistrar implements HandlerRegistrar {
    @Inject
    RelayStarter starter;

    @Resource
    TransactionManager transactions;

    @Override
    public Optional<RuntimeException> prepare() {
        try {
            Transaction caller = transactions.suspend();
            try {
                starter.prepare();
            } finally {
                if (caller != null) {
                    transactions.resume(caller);
                }
            }
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(e);
        } catch (SystemException | InvalidTransactionException e) {
            return Optional.of(new IllegalStateException("the caller's transaction could not be suspended", e));
        }
    }
}
