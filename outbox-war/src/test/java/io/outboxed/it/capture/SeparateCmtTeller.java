package io.outboxed.it.capture;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;

/** A session bean that suspends its caller's transaction. */
@Stateless
public class SeparateCmtTeller {

    @Inject
    Ledger ledger;

    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public void bookAndFailToCommit(Provider provider, String account, String key) {
        ledger.publish(account, key);
        ledger.bookLocked(provider, account, key);
        ledger.failBeforeTheCompletion();
    }
}
