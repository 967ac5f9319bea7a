package io.outboxed.it.capture;

import io.outboxed.Outbox;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.UUID;

/** The business side: locks an account, increments its counter and records the booking. */
@ApplicationScoped
public class Ledger {

    /** Observed before the commit. */
    public record Closing(String account, String key) {}

    @PersistenceContext(unitName = "it-hibernate")
    EntityManager hibernate;

    @PersistenceContext(unitName = "it-servers-own")
    EntityManager serversOwn;

    @Inject
    Outbox outbox;

    @Inject
    Event<Closing> closing;

    @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
    TransactionSynchronizationRegistry transaction;

    public UUID publish(String account, String key) {
        return outbox.publish(new Booked(account, key));
    }

    public void bookLocked(Provider provider, String account, String key) {
        EntityManager manager = of(provider);
        Account locked = manager.find(Account.class, account, LockModeType.PESSIMISTIC_WRITE);
        locked.bookings++;
        write(manager, account, key, locked.bookings);
    }

    /** Nothing but the outbox's lock keeps two of these from counting on from the same number. */
    public void bookUnlocked(Provider provider, String account, String key) {
        EntityManager manager = of(provider);
        Account unlocked = manager.find(Account.class, account);
        // not from a cache that transactions share
        manager.refresh(unlocked);
        unlocked.bookings++;
        write(manager, account, key, unlocked.bookings);
    }

    public void bookVersioned(Provider provider, String account, String key) {
        EntityManager manager = of(provider);
        VersionedAccount versioned = manager.find(VersionedAccount.class, account);
        versioned.bookings++;
        write(manager, account, key, versioned.bookings);
    }

    public void open(Provider provider, String account) {
        EntityManager manager = of(provider);
        Account locked = new Account();
        locked.id = account;
        manager.persist(locked);
        VersionedAccount versioned = new VersionedAccount();
        versioned.id = account;
        manager.persist(versioned);
    }

    public void close(String account, String key) {
        closing.fire(new Closing(account, key));
    }

    void beforeTheCommit(@Observes(during = TransactionPhase.BEFORE_COMPLETION) Closing last) {
        publish(last.account(), last.key());
    }

    /** A second booking of the same key is refused by the database when it is flushed. */
    public void write(Provider provider, String account, String key, int number) {
        write(of(provider), account, key, number);
    }

    /** Needs {@link Writes}, which refuse a name of that length. */
    public void publishWhatIsRefused(String key) {
        publish("x".repeat(Writes.LONGEST_NAME + 1), key);
    }

    public void failBeforeTheCompletion() {
        beforeTheCompletion(() -> {
            throw new IllegalStateException("before the completion");
        });
    }

    public void markBeforeTheCompletion() {
        beforeTheCompletion(transaction::setRollbackOnly);
    }

    private void beforeTheCompletion(Runnable action) {
        transaction.registerInterposedSynchronization(new Synchronization() {
            @Override
            public void beforeCompletion() {
                action.run();
            }

            @Override
            public void afterCompletion(int status) {}
        });
    }

    private void write(EntityManager manager, String account, String key, int number) {
        Booking booking = new Booking();
        booking.id = key;
        booking.account = account;
        booking.number = number;
        manager.persist(booking);
    }

    private EntityManager of(Provider provider) {
        return provider == Provider.HIBERNATE ? hibernate : serversOwn;
    }
}
