package io.outboxed.internal.operations;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * What is stored about one event, without its content and its dead letters.
 *
 * @param rows its messages: the original one, and replays
 * @param deliveries where its handlers differ
 * @param processedAt from the history
 */
public record StoredEvent(UUID id, List<Row> rows, List<Delivery> deliveries, List<Instant> processedAt) {

    public boolean isEmpty() {
        return rows.isEmpty() && deliveries.isEmpty() && processedAt.isEmpty();
    }

    /**
     * A message.
     *
     * @param onlyHandler of a replay, otherwise null
     */
    public record Row(
            long seq,
            String state,
            int version,
            int shard,
            String type,
            String aggregateType,
            String aggregateId,
            String onlyHandler,
            int payloadSize,
            Instant createdAt,
            Instant dueAt) {

        static String state(int status) {
            return switch (status) {
                case 0 -> "ready";
                case 2 -> "parked";
                case 3 -> "split";
                default -> String.valueOf(status);
            };
        }
    }

    /** @param lastError or null */
    public record Delivery(
            long seq, String handler, String group, String state, int attempts, Instant dueAt, String lastError) {

        static String state(int state) {
            return switch (state) {
                case 0 -> "waiting";
                case 1 -> "done";
                case 2 -> "blocked";
                default -> String.valueOf(state);
            };
        }
    }

    /** One of payload and binary is null, unless the event is empty. */
    public record Content(String headers, String payload, byte[] binary) {}
}
