package io.outboxed.it.group;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Another bean, so another group. */
@ApplicationScoped
public class Letters {
    private final List<String> sent = new CopyOnWriteArrayList<>();

    void welcome(@Observes Opened event) {
        sent.add(event.account() + " opened");
    }

    void goodbye(@Observes Closed event) {
        sent.add(event.account() + " closed");
    }

    public List<String> sent() {
        return List.copyOf(sent);
    }
}
