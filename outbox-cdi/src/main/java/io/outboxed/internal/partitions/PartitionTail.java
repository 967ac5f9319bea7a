package io.outboxed.internal.partitions;

import java.util.Locale;
import java.util.Optional;

/**
 * What is in the partition for everything else.
 *
 * @param rows counted up to {@code maxTailRows} + 1
 * @param payloadBytes of these rows; 0 where a statement can be limited in time instead
 */
record PartitionTail(long rows, long payloadBytes) {
    static final PartitionTail EMPTY = new PartitionTail(0, 0);

    /** What keeps it from being moved while applications work. */
    Optional<String> tooLong(PartitionSettings settings) {
        if (rows > settings.maxTailRows()) {
            return Optional.of("more than " + settings.maxTailRows() + " rows");
        }
        return payloadBytes > settings.maxTailBytes()
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "rows with %,d bytes of payload, more than %,d",
                        payloadBytes,
                        settings.maxTailBytes()))
                : Optional.empty();
    }
}
