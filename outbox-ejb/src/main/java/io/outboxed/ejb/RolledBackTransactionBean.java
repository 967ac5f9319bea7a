package io.outboxed.ejb;

import io.outboxed.internal.boot.RolledBackTransaction;
import jakarta.annotation.Resource;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import java.util.Optional;

/**
 * Runs work in a transaction of the container that is rolled back. An event may be published inside {@code
 * @Transactional} before this deployment is prepared: WildFly forbids {@code UserTransaction} to everything that is
 * called from there.
 */
@Stateless
public class RolledBackTransactionBean {

    @Resource
    SessionContext context;

    /** @return why it failed; thrown, the container would wrap it */
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public Optional<Exception> run(RolledBackTransaction.Work work) {
        try {
            work.run();
            return Optional.empty();
        } catch (Exception e) {
            return Optional.of(e);
        } finally {
            context.setRollbackOnly();
        }
    }
}
