package io.outboxed.it.capture;

import io.outboxed.AggregateId;
import io.outboxed.Outboxed;
import io.outboxed.Payload;
import jakarta.annotation.Resource;
import jakarta.ejb.LocalBean;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import java.util.List;

/** A session bean whose container begins and ends the transaction. */
@Stateless
@LocalBean
public class CmtTeller implements Teller {

    @Inject
    Ledger ledger;

    @Resource
    SessionContext session;

    @Override
    public void book(Provider provider, String account, String key, Ending ending) {
        ledger.publish(account, key);
        ledger.bookLocked(provider, account, key);
        switch (ending) {
            case COMMIT -> {}
            case THROW -> throw new IllegalStateException("after the work");
            case ROLLBACK_ONLY -> session.setRollbackOnly();
            case REFUSED_FLUSH -> ledger.write(provider, account, "taken", 0);
            case REFUSED_OUTBOX_ROW -> ledger.publishWhatIsRefused(key);
            case FAILED_BEFORE_COMPLETION -> ledger.failBeforeTheCompletion();
            case MARKED_BEFORE_COMPLETION -> ledger.markBeforeTheCompletion();
        }
    }

    @Outboxed(serialize = true)
    public Booked bookSerialized(Provider provider, @AggregateId String account, String key) {
        ledger.bookUnlocked(provider, account, key);
        return new Booked(account, key);
    }

    @Outboxed
    public void given(@AggregateId String account, @Payload List<Booked> events) {
        ledger.bookLocked(Provider.SERVERS_OWN, account, events.get(0).key());
    }
}
