package io.outboxed.it.early;

import jakarta.annotation.PostConstruct;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Takes longer than a relay needs to start, and an event waits for its handler meanwhile. */
@Singleton
@Startup
public class Migration {
    private static final Duration WORK = Duration.ofSeconds(4);

    @Inject
    Nest nest;

    @Inject
    Chick chick;

    @PostConstruct
    void migrate() {
        nest.publishNow(new Hatched("chick"));
        long end = System.nanoTime() + WORK.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(WORK.toNanos());
        }
        chick.migrated();
    }
}
