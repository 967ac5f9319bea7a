package io.outboxed.internal.store;

import io.outboxed.DeadLetter;
import java.util.List;
import java.util.UUID;

/** What the contract needs around a store: rows to work on, delivery transactions, and access to what is stored. */
interface StoreFixture {
    RelayStore store();

    /** A delivery's transaction, as a handler's container would begin it. */
    Delivery begin();

    /** Publishes a message and gives its row as a relay reads it. */
    MessageHead publish(Draft draft);

    List<DeadLetter> deadLetters();

    /** As an operator does. @return false if there is no such dead letter */
    boolean replay(UUID message, String handler);

    /** Number of all delivery rows, whatever their state. */
    int deliveryRows();

    int messageRows();

    /**
     * A transaction with acknowledgements; a claim of a row that another transaction holds is reported as a transient
     * failure.
     */
    interface Delivery extends TransactionalAck, AutoCloseable {
        void commit();

        void rollback();

        /** Rolls back what was not committed. */
        @Override
        void close();
    }

    /** A message to publish. */
    /** As most queries return it. */
    static MessageHead withoutBody(MessageHead head) {
        return new MessageHead(
                head.seq(),
                head.id(),
                head.shard(),
                head.lane(),
                head.type(),
                head.aggregateType(),
                head.status(),
                head.version(),
                head.registryVersion(),
                head.size(),
                head.starts(),
                head.delayed(),
                head.onlyHandler(),
                null);
    }

    record Draft(UUID id, int shard, long lane, String type, String payload, long delayMicros) {
        static Draft inLane(long lane) {
            return new Draft(UUID.randomUUID(), (int) Math.floorMod(lane, 64L), lane, "order.placed", "{}", 0);
        }

        Draft type(String newType) {
            return new Draft(id, shard, lane, newType, payload, delayMicros);
        }

        Draft payload(String newPayload) {
            return new Draft(id, shard, lane, type, newPayload, delayMicros);
        }

        Draft delay(long micros) {
            return new Draft(id, shard, lane, type, payload, micros);
        }
    }
}
