package io.outboxed.internal.store;

import java.util.UUID;

/**
 * A message row, with its body where that is small.
 *
 * @param seq the database's number: orders an aggregate, primary key
 * @param version changes whenever the row is touched; 0 = nothing has happened to it yet
 * @param registryVersion the handler registry's version that the publisher knew
 * @param size bytes of the payload
 * @param starts counted starts without an outcome (suspects only)
 * @param delayed READY with a delay that has not passed on the database's clock
 * @param onlyHandler the replay of a dead letter: for this handler and no other; null = all that are registered
 * @param body read along up to {@link #BODY_READ_ALONG} bytes of payload, else null
 */
public record MessageHead(
        long seq,
        UUID id,
        int shard,
        long lane,
        String type,
        Status status,
        int version,
        long registryVersion,
        int size,
        int starts,
        boolean delayed,
        String onlyHandler,
        MessageBody body) {

    /** Reading the row a second time would cost more than carrying this along. */
    public static final int BODY_READ_ALONG = 2048;

    /** Column {@code status}. */
    public enum Status {
        READY(0),
        PARKED(2),
        SPLIT(3);

        private final int code;

        Status(int code) {
            this.code = code;
        }

        public int code() {
            return code;
        }

        public static Status of(int code) {
            return switch (code) {
                case 0 -> READY;
                case 2 -> PARKED;
                case 3 -> SPLIT;
                default ->
                    throw new IllegalStateException("outbox_message.status holds " + code + ", known are 0, 2, 3");
            };
        }
    }

    public MessageHead withVersion(int newVersion) {
        return new MessageHead(
                seq,
                id,
                shard,
                lane,
                type,
                status,
                newVersion,
                registryVersion,
                size,
                starts,
                delayed,
                onlyHandler,
                body);
    }
}
