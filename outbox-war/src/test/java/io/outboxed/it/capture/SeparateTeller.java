package io.outboxed.it.capture;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;

/** Suspends its caller's transaction. */
@ApplicationScoped
public class SeparateTeller {

    @Inject
    Ledger ledger;

    @Transactional(TxType.REQUIRES_NEW)
    public void book(Provider provider, String account, String key) {
        ledger.publish(account, key);
        ledger.bookLocked(provider, account, key);
    }
}
