package io.outboxed.it.policies;

import io.outboxed.PermanentFailureException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Rejects the first document of a folder that is sealed; hangs over the first copy until it is interrupted. */
@ApplicationScoped
public class Clerk {
    static final String SEALED = "sealed";

    private final List<String> done = new CopyOnWriteArrayList<>();
    private final CountDownLatch never = new CountDownLatch(1);
    private volatile boolean interrupted;

    void filed(@Observes Filed event) {
        if (event.folder().equals(SEALED) && event.number() == 1) {
            throw new PermanentFailureException("sealed");
        }
        done.add(event.folder() + " " + event.number());
    }

    void copied(@Observes Copied event) throws InterruptedException {
        if (!interrupted) {
            try {
                never.await();
            } catch (InterruptedException e) {
                interrupted = true;
                throw e;
            }
        }
        done.add(event.folder() + " copied");
    }

    public List<String> done() {
        return List.copyOf(done);
    }

    public boolean wasInterrupted() {
        return interrupted;
    }
}
