package io.outboxed.it.handlers;

import io.outboxed.it.handlers.Events.Described;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;

/** A handler on a session bean that only {@code ejb-jar.xml} makes one. Its container keeps instances for later calls. */
public class DescribedHandlers {

    @Inject
    Notes notes;

    public void described(@Observes Described event) {
        if (notes.take("described") == 1) {
            throw new IllegalStateException("the first call fails");
        }
    }
}
