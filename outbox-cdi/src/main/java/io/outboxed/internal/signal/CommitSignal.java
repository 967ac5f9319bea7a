package io.outboxed.internal.signal;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Tells this node's relay, after a commit, which shards got rows. Capture signals, the relay listens, neither knows the
 * other. A lost signal costs at most one poll.
 */
@ApplicationScoped
public class CommitSignal {
    private final CopyOnWriteArrayList<Consumer<Set<Integer>>> listeners = new CopyOnWriteArrayList<>();

    public void committed(Set<Integer> shards) {
        listeners.forEach(listener -> listener.accept(shards));
    }

    /** @return undoes the registration */
    public Runnable listen(Consumer<Set<Integer>> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
