package io.outboxed.bench.systems;

import io.outboxed.bench.database.Shape;

/** A system that is given a backlog and drains it, measured. */
public interface Drainer extends AutoCloseable {

    /** As result lines name it. */
    String name();

    /** How much of a backlog it is given; those that take far too long get less of it. */
    default int messagesOf(int wanted) {
        return wanted;
    }

    Drained drain(Shape shape);

    @Override
    void close();
}
