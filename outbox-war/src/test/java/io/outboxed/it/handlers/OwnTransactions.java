package io.outboxed.it.handlers;

import io.outboxed.it.handlers.Events.Session;
import jakarta.annotation.Resource;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.transaction.UserTransaction;

/** A handler on a session bean that begins and commits its own transaction. */
@Stateless
@TransactionManagement(TransactionManagementType.BEAN)
public class OwnTransactions {

    @Inject
    Notes notes;

    @Resource
    UserTransaction transaction;

    public void handle(@Observes Session event) throws Exception {
        transaction.begin();
        notes.take("ownTransaction");
        transaction.commit();
    }
}
