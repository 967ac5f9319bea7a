package io.outboxed.internal.store;

import java.util.Collection;
import java.util.List;

/**
 * Which READY rows of a shard to read: those with a seq above the mark, the lowest first.
 *
 * @param without lanes to skip
 */
public record ReadWindow(int shard, long above, int limit, Collection<Long> without) {

    public ReadWindow(int shard, long above, int limit) {
        this(shard, above, limit, List.of());
    }

    public ReadWindow leavingOut(Collection<Long> lanes) {
        return new ReadWindow(shard, above, limit, lanes);
    }
}
