package io.outboxed.it.publish;

import io.outboxed.Outbox;
import io.outboxed.PublishOptions;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.UUID;

/** Each method is a transaction of its own. */
@ApplicationScoped
@Transactional
public class Publisher {

    @Inject
    Outbox outbox;

    public UUID publish(Object event, PublishOptions options) {
        return outbox.publish(event, options);
    }

    /** @param meanwhile runs before the transaction ends */
    public UUID publish(Object event, PublishOptions options, Runnable meanwhile) {
        UUID id = outbox.publish(event, options);
        meanwhile.run();
        return id;
    }

    public UUID publishAndCancel(Object event) {
        UUID id = outbox.publish(event);
        if (!outbox.cancel(id)) {
            throw new IllegalStateException("an event of this transaction was not cancelled");
        }
        return id;
    }

    public boolean cancel(UUID id) {
        return outbox.cancel(id);
    }

    /** @param meanwhile runs before the transaction ends; what it throws rolls back */
    public void cancel(UUID id, Runnable meanwhile) {
        if (!outbox.cancel(id)) {
            throw new IllegalStateException("the event was not cancelled");
        }
        meanwhile.run();
    }
}
