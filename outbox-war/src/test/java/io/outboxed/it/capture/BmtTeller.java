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
            case COMMIT -> transaction.commit();
            case THROW -> transaction.rollback();
            case ROLLBACK_ONLY -> {
                transaction.setRollbackOnly();
                transaction.commit();
            }
            case REFUSED_FLUSH -> {
                ledger.write(provider, account, "taken", 0);
                transaction.commit();
            }
        }
    }
}
