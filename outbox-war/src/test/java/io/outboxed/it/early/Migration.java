package io.outboxed.it.early;

import jakarta.annotation.PostConstruct;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.inject.Inject;
import java.time.Duration;

/** An event waits for its handler meanwhile. */
@Singleton
@Startup
public class Migration {
    /** Longer than a relay needs to start: nothing tells that a handler is not called. */
    private static final Duration WORK = Duration.ofSeconds(4);

    @Inject
    Nest nest;

    @Inject
    Chick chick;

    @PostConstruct
    void migrate() {
        nest.publishNow(new Hatched("chick"));
        if (!chick.isCalledWithin(WORK)) {
            chick.migrated();
        }
    }
}
