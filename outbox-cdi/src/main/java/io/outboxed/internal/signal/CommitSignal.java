package io.outboxed.internal.signal;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Signals to this node's relay, after a commit, which shards have new rows. Capture and the relay both use this class
 * and do not depend on each other. A lost signal costs at most one poll.
 */
@ApplicationScoped
public class CommitSignal {
    private final CopyOnWriteArrayList<Consumer<Set<Integer>>> listeners = new CopyOnWriteArrayList<>();

    public void committed(Set<Integer> shards) {
        listeners.forEach(listener -> listener.accept(shards));
    }

    /** @return ends the registration */
    public Runnable listen(Consumer<Set<Integer>> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
