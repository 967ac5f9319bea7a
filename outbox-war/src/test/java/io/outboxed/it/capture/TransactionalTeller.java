package io.outboxed.it.capture;

import io.outboxed.AggregateId;
import io.outboxed.Outboxed;
import jakarta.annotation.Resource;
import jakarta.ejb.EJBException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A CDI bean with {@code @Transactional}. */
@ApplicationScoped
public class TransactionalTeller implements Teller {

    @Inject
    Ledger ledger;

    @Inject
    SeparateTeller separate;

    @Inject
    RepeatingTeller repeating;

    @Inject
    SeparateCmtTeller separateCmt;

    @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
    TransactionSynchronizationRegistry transaction;

    @Override
    @Transactional
    public void book(Provider provider, String account, String key, Ending ending) {
        ledger.publish(account, key);
        ledger.bookLocked(provider, account, key);
        end(provider, account, key, ending);
    }

    private void end(Provider provider, String account, String key, Ending ending) {
        switch (ending) {
            case COMMIT -> {}
            case THROW -> throw new IllegalStateException("after the work");
            case ROLLBACK_ONLY -> transaction.setRollbackOnly();
            case REFUSED_FLUSH -> ledger.write(provider, account, "taken", 0);
            case REFUSED_OUTBOX_ROW -> ledger.publishWhatIsRefused(key);
            case FAILED_BEFORE_COMPLETION -> ledger.failBeforeTheCompletion();
            case MARKED_BEFORE_COMPLETION -> ledger.markBeforeTheCompletion();
        }
    }

    @Transactional
    public void open(Provider provider, String account) {
        ledger.open(provider, account);
    }

    @Transactional
    public void bookVersioned(Provider provider, String account, String key) {
        ledger.publish(account, key);
        ledger.bookVersioned(provider, account, key);
    }

    @Outboxed(serialize = true)
    @Transactional
    public Booked bookSerialized(Provider provider, @AggregateId String account, String key) {
        ledger.bookUnlocked(provider, account, key);
        return new Booked(account, key);
    }

    @Outboxed
    @Transactional
    public Booked returned(String account, String key) {
        ledger.bookLocked(Provider.HIBERNATE, account, key);
        return new Booked(account, key);
    }

    @Outboxed
    @Transactional
    public Booked announced(String account, String key) {
        return new Booked(account, key);
    }

    @Transactional
    public Booked bookSerializedRepeatedly(String account, String key) {
        return repeating.bookSerialized(account, key);
    }

    @Transactional
    public Booked bookRepeatedly(String account, String key) {
        return repeating.bookAfterARefusal(account, key);
    }

    @Outboxed
    @Transactional
    public Optional<Booked> givenUp(String account, String key) {
        transaction.setRollbackOnly();
        return Optional.of(new Booked(account, key));
    }

    @Outboxed
    @Transactional
    public List<Booked> several(String account, int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> new Booked(account, "several " + n))
                .toList();
    }

    @Outboxed
    @Transactional
    public Booked nothing() {
        return null;
    }

    @Transactional
    public void withLateEvents(Provider provider, String account, String key) {
        ledger.close(account, key + " observer");
        ledger.publish(account, key);
        ledger.bookLocked(provider, account, key);
    }

    @Transactional
    public void outerAndInner(Provider provider, String account, String key, Ending ending) {
        ledger.publish(account, key + " outer");
        separate.book(provider, account, key + " inner");
        ledger.write(provider, account, key + " outer", 0);
        end(provider, account, key, ending);
    }

    /** @return whether the inner transaction failed, as it should */
    @Transactional
    public boolean outerAroundAFailedInner(Provider provider, String account, String key) {
        ledger.publish(account, key + " outer");
        boolean failed = false;
        try {
            separateCmt.bookAndFailToCommit(provider, account, key + " inner");
        } catch (EJBException expected) {
            failed = true;
        }
        ledger.write(provider, account, key + " outer", 0);
        return failed;
    }
}
