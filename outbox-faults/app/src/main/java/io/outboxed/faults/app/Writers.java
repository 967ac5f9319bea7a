package io.outboxed.faults.app;

import io.outboxed.Outbox;
import io.outboxed.Outboxed;
import io.outboxed.PublishOptions;
import jakarta.annotation.Resource;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The business transactions. Each event leaves a {@link Committed} row; one in twenty rolls back with all that it
 * wrote.
 */
@Stateless
public class Writers {
    private static final double ROLLED_BACK = 0.05;
    private static final Duration DELAY = Duration.ofSeconds(3);

    @PersistenceContext(unitName = "faults")
    EntityManager em;

    @Inject
    Outbox outbox;

    @Resource
    SessionContext session;

    /** Locks the aggregate's row. */
    @Outboxed
    public Deposited locked(long id) {
        LockedAccount account = em.find(LockedAccount.class, id, LockModeType.PESSIMISTIC_WRITE);
        Committed written = write("L" + id, account.next());
        sometimesRollBack();
        return deposited(written);
    }

    /** Relies on the version. */
    public void versioned(long id) {
        VersionedAccount account = em.find(VersionedAccount.class, id);
        Committed written = write("V" + id, account.next());
        outbox.publish(written.number() % 2 == 0 ? withdrawn(written) : deposited(written));
        sometimesRollBack();
    }

    /**
     * Many events of several aggregates.
     *
     * @param ids ascending, so that two bulk writers can't deadlock
     */
    public void bulk(List<Long> ids, int eventsOfEach) {
        for (long id : ids) {
            LockedAccount account = em.find(LockedAccount.class, id, LockModeType.PESSIMISTIC_WRITE);
            for (int i = 0; i < eventsOfEach; i++) {
                Committed written = write("L" + id, account.next());
                outbox.publish(i % 2 == 0 ? withdrawn(written) : deposited(written));
            }
        }
        sometimesRollBack();
    }

    /** Publishes an event that is due later. */
    public void remind() {
        String id = UUID.randomUUID().toString();
        long now = Micros.now();
        em.persist(new Committed(id, "", 0, Trouble.NONE, now, now + DELAY.toNanos() / 1000));
        outbox.publish(new Reminder(id), PublishOptions.none().delay(DELAY));
        sometimesRollBack();
    }

    private Committed write(String account, long number) {
        Trouble trouble = Trouble.of(ThreadLocalRandom.current().nextDouble());
        long now = Micros.now();
        Committed written = new Committed(UUID.randomUUID().toString(), account, number, trouble, now, now);
        em.persist(written);
        return written;
    }

    private static Deposited deposited(Committed written) {
        return new Deposited(written.account(), written.number(), written.id(), written.trouble());
    }

    private static Withdrawn withdrawn(Committed written) {
        return new Withdrawn(written.account(), written.number(), written.id(), written.trouble());
    }

    private void sometimesRollBack() {
        if (ThreadLocalRandom.current().nextDouble() < ROLLED_BACK) {
            session.setRollbackOnly();
        }
    }
}
