package io.outboxed.it.capture;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.faulttolerance.Retry;

/** Retries inside of its caller's transaction, where no try can succeed once one has marked it for rollback. */
@ApplicationScoped
public class RepeatingTeller {
    private final AtomicInteger tries = new AtomicInteger();

    @Inject
    TransactionalTeller teller;

    @Retry(maxRetries = 2, delay = 0, jitter = 0)
    public Booked bookSerialized(String account, String key) {
        tries.incrementAndGet();
        return teller.bookSerialized(Provider.HIBERNATE, account, key);
    }

    /** Only the first event is refused: its account is too long for the outbox. */
    @Retry(maxRetries = 2, delay = 0, jitter = 0)
    public Booked bookAfterARefusal(String account, String key) {
        return teller.announced(tries.incrementAndGet() == 1 ? "x".repeat(200) : account, key);
    }

    public int tries() {
        return tries.getAndSet(0);
    }
}
