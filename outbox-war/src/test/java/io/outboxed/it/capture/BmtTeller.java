package io.outboxed.it.capture;

import jakarta.annotation.Resource;
import jakarta.ejb.LocalBean;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.inject.Inject;
import jakarta.transaction.UserTransaction;

/** A session bean that begins and ends its transactions itself. */
@Stateless
@LocalBean
@TransactionManagement(TransactionManagementType.BEAN)
public class BmtTeller implements Teller {

    @Inject
    Ledger ledger;

    @Resource
    UserTransaction transaction;

    @Override
    public void book(Provider provider, String account, String key, Ending ending) throws Exception {
        transaction.begin();
        ledger.publish(account, key);
        ledger.bookLocked(provider, account, key);
        switch (ending) {
            case COMMIT -> {}
            case THROW -> {
                transaction.rollback();
                return;
            }
            case ROLLBACK_ONLY -> transaction.setRollbackOnly();
            case REFUSED_FLUSH -> ledger.write(provider, account, "taken", 0);
            case REFUSED_OUTBOX_ROW -> ledger.publishWhatIsRefused(key);
            case FAILED_BEFORE_COMPLETION -> ledger.failBeforeTheCompletion();
            case MARKED_BEFORE_COMPLETION -> ledger.markBeforeTheCompletion();
        }
        transaction.commit();
    }
}
