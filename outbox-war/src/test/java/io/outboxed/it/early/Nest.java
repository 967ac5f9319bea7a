package io.outboxed.it.early;

import io.outboxed.Outbox;
import io.outboxed.PublishOptions;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.time.Duration;

/** Inside {@code @Transactional} a server forbids {@code UserTransaction}, also to what is called from there. */
@ApplicationScoped
public class Nest {

    @Inject
    Outbox outbox;

    /** In a transaction that is committed before the caller's. */
    @Transactional(TxType.REQUIRES_NEW)
    public void publishNow(Hatched event) {
        outbox.publish(event);
    }

    @Transactional
    public void publish(Woken event) {
        outbox.publish(event, PublishOptions.none().delay(Duration.ofDays(1)));
    }
}
