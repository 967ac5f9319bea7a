package io.outboxed.it.group;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException;

/** A projection: a method for each event type. */
@ApplicationScoped
public class AccountView {
    static final String STUBBORN = "stubborn";

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private volatile boolean repaired;

    void opened(@Observes Opened event) {
        if (event.account().equals(STUBBORN) && !repaired) {
            boolean first = !seen.contains(STUBBORN + " failed");
            seen.add(STUBBORN + " failed");
            if (first) {
                throw new IllegalStateException("fails at first");
            }
            // uses up no attempt, however often it is thrown
            throw new CircuitBreakerOpenException("still");
        }
        seen.add(event.account() + " opened");
    }

    void closed(@Observes Closed event) {
        seen.add(event.account() + " closed");
    }

    public List<String> seen() {
        return List.copyOf(seen);
    }

    public void repair() {
        repaired = true;
    }
}
