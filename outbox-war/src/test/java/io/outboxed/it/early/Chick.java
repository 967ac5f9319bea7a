package io.outboxed.it.early;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Its handler needs what {@link Migration} does. */
@ApplicationScoped
public class Chick {
    private final List<Boolean> calls = new CopyOnWriteArrayList<>();
    private volatile boolean migrated;

    void migrated() {
        migrated = true;
    }

    void hatch(@Observes Hatched event) {
        calls.add(migrated);
    }

    /** For each call of the handler, whether the migration had ended. */
    public List<Boolean> calls() {
        return calls;
    }
}
