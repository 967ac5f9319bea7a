package io.outboxed.internal.store;

import java.util.Collection;
import java.util.List;

/**
 * Which READY rows of a shard to read: those with a seq above the mark, the lowest first.
 *
 * @param without lanes that are left out
 */
public record Window(int shard, long above, int limit, Collection<Long> without) {

    public Window(int shard, long above, int limit) {
        this(shard, above, limit, List.of());
    }

    public Window leavingOut(Collection<Long> lanes) {
        return new Window(shard, above, limit, lanes);
    }
}
