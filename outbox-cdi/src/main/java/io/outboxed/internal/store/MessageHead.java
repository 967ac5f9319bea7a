package io.outboxed.internal.store;

import io.outboxed.admin.StoredEvent.MessageState;
import java.util.Optional;
import java.util.UUID;

/**
 * A message row, with its body if that is small.
 *
 * @param seq assigned by the database: primary key, and the order within an aggregate
 * @param aggregateType empty without an aggregate
 * @param version changes with each update of the row; 0 = never updated
 * @param registryVersion the handler registry's version that the publisher knew
 * @param size bytes of the payload
 * @param starts counted starts without an outcome: of suspects, of probes, and of what a forwarder sends again
 * @param delayed READY with a delay that has not passed on the database's clock
 * @param onlyHandler set for the replay of a dead letter: for this handler only; null = all registered handlers
 * @param body read together with the head up to {@link #BODY_READ_ALONG} bytes of payload, else null
 */
public record MessageHead(
        long seq,
        UUID id,
        int shard,
        long lane,
        String type,
        String aggregateType,
        MessageState status,
        int version,
        long registryVersion,
        int size,
        int starts,
        boolean delayed,
        String onlyHandler,
        MessageBody body) {

    /** Up to this size, reading the row a second time would cost more than reading the payload with the head. */
    public static final int BODY_READ_ALONG = 2048;

    public MessageKey key() {
        return new MessageKey(seq, id);
    }

    public MessageHead withVersion(int newVersion) {
        return with(newVersion, starts);
    }

    /** After a stored outcome of one of its handlers: its starts are not without an outcome any more. */
    public MessageHead answered(int newVersion) {
        return with(newVersion, 0);
    }

    /**
     * A row with a lower version lacks a success that was counted: a failover may have lost its commit. A split row
     * needs no check, because it names each handler that is open.
     *
     * @return what is lost; empty: nothing
     */
    Optional<String> lostFrom(MessageState rowStatus, int rowVersion) {
        return rowStatus == MessageState.SPLIT || rowVersion >= version
                ? Optional.empty()
                : Optional.of("message " + id + " (seq " + seq + ") has version " + rowVersion + " and had " + version
                        + ": what was committed is lost, so its handlers are called again");
    }

    private MessageHead with(int newVersion, int newStarts) {
        return new MessageHead(
                seq,
                id,
                shard,
                lane,
                type,
                aggregateType,
                status,
                newVersion,
                registryVersion,
                size,
                newStarts,
                delayed,
                onlyHandler,
                body);
    }
}
