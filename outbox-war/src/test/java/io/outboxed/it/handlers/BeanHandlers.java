package io.outboxed.it.handlers;

import io.outboxed.Outbox;
import io.outboxed.OutboxMessage;
import io.outboxed.Outboxed;
import io.outboxed.PermanentFailureException;
import io.outboxed.PublishOptions;
import io.outboxed.it.handlers.Events.First;
import io.outboxed.it.handlers.Events.Flushed;
import io.outboxed.it.handlers.Events.Hopeless;
import io.outboxed.it.handlers.Events.Joined;
import io.outboxed.it.handlers.Events.Keyed;
import io.outboxed.it.handlers.Events.Marked;
import io.outboxed.it.handlers.Events.Outside;
import io.outboxed.it.handlers.Events.Quick;
import io.outboxed.it.handlers.Events.Repeated;
import io.outboxed.it.handlers.Events.RolledBack;
import io.outboxed.it.handlers.Events.Second;
import io.outboxed.it.handlers.Events.Two;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.util.UUID;
import org.eclipse.microprofile.faulttolerance.Fallback;
import org.eclipse.microprofile.faulttolerance.Retry;

/** Handlers on a CDI bean. */
@ApplicationScoped
public class BeanHandlers {

    @Inject
    Notes notes;

    @Inject
    Outbox outbox;

    @Inject
    OnceEffects effects;

    @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
    TransactionSynchronizationRegistry transactions;

    @Transactional
    public void publish(Object event) {
        outbox.publish(event);
    }

    @Transactional
    public UUID publishOnce(Object event, String key) {
        return outbox.publish(event, PublishOptions.none().key(key));
    }

    @Transactional
    public void publishOnceAndFail(Object event, String key) {
        outbox.publish(event, PublishOptions.none().key(key));
        throw new IllegalStateException("rolled back");
    }

    /** As MySQL after a deadlock whose exception the method hides. */
    @Transactional
    public void publishOnceAndLose(Object event, String key) {
        outbox.publish(event, PublishOptions.none().key(key));
        notes.execute("rollback");
        notes.execute("insert into it_note (handler, call_number) values ('lost', 1)");
    }

    @Retry(maxRetries = 3, delay = 10)
    void quick(@Observes Quick event) {
        failUntil(notes.take("quick"), 3);
    }

    private void hidden(@Observes Quick event) {
        failUntil(notes.take("hidden"), 2);
    }

    @Retry(maxRetries = 1, delay = 10)
    @Fallback(fallbackMethod = "instead")
    void falls(@Observes Hopeless event) {
        failUntil(notes.take("falls"), 99);
    }

    private void instead(Hopeless event) {
        notes.take("instead");
    }

    @Transactional
    void joined(@Observes Joined event) {
        failUntil(notes.take("joined"), 2);
    }

    @Transactional
    void joinedChecked(@Observes Joined event) throws Exception {
        if (notes.take("joinedChecked") < 2) {
            throw new Exception("checked, so that @Transactional alone would commit");
        }
    }

    @Transactional(TxType.MANDATORY)
    void mandatory(@Observes Joined event) {
        failUntil(notes.take("mandatory"), 2);
    }

    @Transactional(TxType.SUPPORTS)
    void supports(@Observes Joined event) {
        failUntil(notes.take("beanSupports"), 2);
    }

    @Transactional(TxType.NOT_SUPPORTED)
    void outside(@Observes Outside event) {
        notes.take("outside");
    }

    @Transactional(TxType.REQUIRES_NEW)
    void inNewTransaction(@Observes Outside event) {
        notes.take("inNewTransaction");
    }

    /** Its effects are committed when it fails. */
    @Transactional(TxType.NOT_SUPPORTED)
    void repeated(@Observes Repeated event, OutboxMessage message) {
        effects.byHand(message);
        effects.annotated();
        failUntil(notes.take("repeated"), 3);
    }

    void keyed(@Observes Keyed event) {
        notes.take("keyed");
    }

    /** As MySQL after a deadlock: the handler swallows the exception, and only its last statement remains. */
    void rolledBack(@Observes RolledBack event) {
        int call = notes.take("rolledBack");
        if (call == 1) {
            notes.execute("rollback");
            notes.execute("insert into it_note (handler, call_number) values ('rolledBack', 100)");
        }
    }

    void marked(@Observes Marked event) {
        if (notes.take("marked") == 1) {
            transactions.setRollbackOnly();
        }
    }

    /** A late flush: the database refuses something only after the handler has returned. */
    void flushed(@Observes Flushed event) {
        if (notes.take("flushed") == 1) {
            transactions.registerInterposedSynchronization(new RefusedFlush());
        }
    }

    void gives(@Observes Two event) {
        notes.take("gives");
        throw new PermanentFailureException("another try is pointless");
    }

    void succeeds(@Observes Two event) {
        notes.take("succeeds");
    }

    @Outboxed
    @Retry(maxRetries = 1, delay = 10)
    Second first(@Observes First event) {
        failUntil(notes.take("first"), 2);
        return new Second(event.id());
    }

    void second(@Observes Second event) {
        notes.take("second");
    }

    private static void failUntil(int call, int last) {
        if (call < last) {
            throw new IllegalStateException("call " + call + " fails");
        }
    }

    private final class RefusedFlush implements Synchronization {
        @Override
        public void beforeCompletion() {
            if (transactions.getTransactionStatus() == Status.STATUS_ACTIVE) {
                throw new IllegalStateException("the flush is refused");
            }
        }

        @Override
        public void afterCompletion(int status) {
            // nothing to clean up
        }
    }
}
