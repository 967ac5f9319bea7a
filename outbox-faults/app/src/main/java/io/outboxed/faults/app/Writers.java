package io.outboxed.faults.app;

import io.outboxed.Inbox;
import io.outboxed.Outbox;
import io.outboxed.Outboxed;
import io.outboxed.PublishOptions;
import jakarta.annotation.Resource;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/**
 * The business transactions. Each event leaves a {@link Committed} row; one in twenty rolls back with all that it
 * wrote.
 */
@Stateless
public class Writers {
    private static final double ROLLED_BACK = 0.05;
    private static final double MISFORTUNE = 0.1;
    private static final Duration DELAY = Duration.ofSeconds(3);

    @PersistenceContext(unitName = "faults")
    EntityManager em;

    @Inject
    Outbox outbox;

    @Inject
    Inbox inbox;

    @Resource
    SessionContext session;

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    @Inject
    Instance<NextVersion> next;

    /** Locks the aggregate's row. */
    @Outboxed
    public Deposited locked(long id) {
        LockedAccount account = em.find(LockedAccount.class, id, LockModeType.PESSIMISTIC_WRITE);
        Committed written = write("L" + id, account.next(), "deposited");
        sometimesRollBack();
        return deposited(written);
    }

    /** Relies on the version. */
    public void versioned(long id) {
        VersionedAccount account = em.find(VersionedAccount.class, id);
        publish("V" + id, account.next());
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
                publish("L" + id, account.next());
            }
        }
        sometimesRollBack();
    }

    /** Publishes an event of the type that only the next version knows. */
    public void transfer(long id) {
        LockedAccount account = em.find(LockedAccount.class, id, LockModeType.PESSIMISTIC_WRITE);
        Committed written = write("L" + id, account.next(), "transferred");
        outbox.publish(next.get().transferred(written.account(), written.number(), written.id(), written.fault()));
        sometimesRollBack();
    }

    /** Publishes an event that is due later. */
    public void remind() {
        String id = UUID.randomUUID().toString();
        long now = Micros.now();
        long dueAt = now + DELAY.toNanos() / 1000;
        em.persist(new Committed(id, "", 0, HandlerFault.NONE, "reminder", version(), now, dueAt));
        outbox.publish(new Reminder(id), PublishOptions.none().delay(DELAY));
        sometimesRollBack();
    }

    /**
     * Has its effect once, however often it is called. Some calls end in a way that their caller must not take for a
     * success.
     */
    public void request(String id) {
        double draw = ThreadLocalRandom.current().nextDouble();
        inbox.once(id, "requests", () -> {
            execute("INSERT INTO faults_request (id) VALUES ('" + id + "')");
            if (draw < MISFORTUNE) {
                execute("ROLLBACK"); // as MySQL after a deadlock whose exception is hidden
            } else if (draw < 2 * MISFORTUNE) {
                session.setRollbackOnly();
            }
        });
        if (draw > 1 - MISFORTUNE) {
            throw new IllegalStateException("rolled back after the effect");
        }
    }

    private void execute(String sql) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private void publish(String account, long number) {
        boolean even = number % 2 == 0;
        Committed written = write(account, number, even ? "withdrawn" : "deposited");
        outbox.publish(even ? withdrawn(written) : deposited(written));
    }

    private Committed write(String account, long number, String type) {
        HandlerFault fault = HandlerFault.of(ThreadLocalRandom.current().nextDouble());
        long now = Micros.now();
        Committed written =
                new Committed(UUID.randomUUID().toString(), account, number, fault, type, version(), now, now);
        em.persist(written);
        return written;
    }

    private int version() {
        return next.isResolvable() ? 2 : 1;
    }

    private static Deposited deposited(Committed written) {
        return new Deposited(written.account(), written.number(), written.id(), written.fault());
    }

    private static Withdrawn withdrawn(Committed written) {
        return new Withdrawn(written.account(), written.number(), written.id(), written.fault());
    }

    private void sometimesRollBack() {
        if (ThreadLocalRandom.current().nextDouble() < ROLLED_BACK) {
            session.setRollbackOnly();
        }
    }
}
