package io.outboxed.faults.app;

import io.outboxed.OutboxMessage;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.lang.System.Logger.Level;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * A handler outside a transaction. Its receiver, the journal, keeps the last state that it was sent. It leaves a
 * receipt in the database, if that has no fault.
 */
@ApplicationScoped
public class Courier {
    private static final long LONGEST_NANOS = 5_000_000;
    private static final System.Logger LOG = System.getLogger(Courier.class.getName());

    @Inject
    Journal journal;

    @Inject
    InjectedFaults faults;

    @Inject
    Receipts receipts;

    @Inject
    Ambush ambush;

    @Transactional(TxType.NOT_SUPPORTED)
    void deposited(@Observes Deposited event, OutboxMessage message) {
        tell(event.account(), event.number(), event.id(), event.fault(), message);
    }

    @Transactional(TxType.NOT_SUPPORTED)
    void withdrawn(@Observes Withdrawn event, OutboxMessage message) {
        tell(event.account(), event.number(), event.id(), event.fault(), message);
    }

    public void tell(String account, long number, String id, HandlerFault fault, OutboxMessage message) {
        try (Journal.Call call = journal.begin("Courier", id, account, number, message)) {
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_NANOS)); // the network
            faults.apply();
            faults.failFirstAttempt(fault, HandlerFault.FLAKY_CALL, message.attempt());
            faults.failIfPoison(fault);
            leaveReceipt(id);
            ambush.pass("Courier");
            call.succeeded();
        }
    }

    /** A fault of the database is none of this handler's receiver: its attempts must not be used up by one. */
    private void leaveReceipt(String id) {
        try {
            receipts.write(id);
        } catch (RuntimeException e) {
            LOG.log(Level.DEBUG, "no receipt of " + id, e);
        }
    }
}
