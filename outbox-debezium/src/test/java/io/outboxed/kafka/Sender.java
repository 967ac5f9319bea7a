package io.outboxed.kafka;

import java.io.IOException;
import java.sql.SQLException;

/** Brings events to Kafka while it is measured. */
interface Sender extends AutoCloseable {

    /** Its process, whose processor time counts. */
    long process();

    /** Its database, or 0. */
    long database();

    /** @return what makes these events, one of each aggregate in turn, visible to the sender at once */
    Release prepare(int events, String payload) throws SQLException;

    /** One event, made visible before this method returns. */
    void send(int aggregate, String payload) throws SQLException;

    /** Nothing is left to do for events that have arrived. */
    boolean isIdle();

    @Override
    void close() throws SQLException, IOException;

    @FunctionalInterface
    interface Release {
        void now() throws SQLException;
    }
}
