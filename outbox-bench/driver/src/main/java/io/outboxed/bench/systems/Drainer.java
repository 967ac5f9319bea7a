package io.outboxed.bench.systems;

import io.outboxed.bench.database.Shape;

/** A system that drains a given backlog while it is measured. */
public interface Drainer extends AutoCloseable {

    /** The name in result lines. */
    String name();

    /** How many messages its backlog has; systems that are far too slow get fewer. */
    default int messagesOf(int wanted) {
        return wanted;
    }

    Drained drain(Shape shape);

    @Override
    void close();
}
