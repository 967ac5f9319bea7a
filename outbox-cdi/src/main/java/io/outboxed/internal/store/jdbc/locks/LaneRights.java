package io.outboxed.internal.store.jdbc.locks;

import io.outboxed.internal.store.cluster.LaneLocks;

/** Claims of lanes that are also the proof with which decisions are committed. */
public interface LaneRights extends LaneLocks, Fence, AutoCloseable {

    /** Of this node; null before it has joined, and without a session. */
    String owner();

    @Override
    void close();
}
