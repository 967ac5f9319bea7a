package io.outboxed.admin;

import java.util.Objects;
import java.util.stream.Stream;

/**
 * What a {@link BulkOperation} is to do. Immutable; start with {@link #replay(DeadLetterFilter)} or {@link
 * #discard(DeadLetterFilter)}.
 *
 * @param kind what becomes of the dead letters
 * @param filter which ones, not null. Without a condition it selects all of them. Names have 1 to 255 characters, an
 *     error text 1 to 1,000
 * @param acceptOrder of a replay: whether events may come behind newer ones of their aggregate. If not, dead letters
 *     whose events would are left alone. False for a discard
 * @param perSecond how many dead letters are changed per second at most, 1 to {@link #MAX_PER_SECOND}
 */
public record BulkRequest(Kind kind, DeadLetterFilter filter, boolean acceptOrder, int perSecond) {

    /** The highest rate: 1,000 dead letters per second. */
    public static final int MAX_PER_SECOND = 1_000;

    /** The rate unless another one is set: 100 dead letters per second. */
    public static final int DEFAULT_PER_SECOND = 100;

    private static final int MAX_NAME = 255;
    private static final int MAX_ERROR = 1_000;

    /** What becomes of dead letters. */
    public enum Kind {
        /** They are delivered once more, each to its handler only. */
        REPLAY,
        /** They are deleted: their handlers never get the events. */
        DISCARD
    }

    /**
     * Checks the parts.
     *
     * @param kind what becomes of the dead letters
     * @param filter which ones
     * @param acceptOrder whether a replay may break the order
     * @param perSecond the rate
     * @throws NullPointerException if the kind or the filter is null
     * @throws IllegalArgumentException for a rate out of its range, {@code acceptOrder} for a discard, or a name or an
     *     error text in the filter that is empty or too long
     */
    public BulkRequest {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(filter, "filter");
        if (perSecond < 1 || perSecond > MAX_PER_SECOND) {
            throw new IllegalArgumentException("perSecond is " + perSecond + ", expected 1 to " + MAX_PER_SECOND);
        }
        if (acceptOrder && kind == Kind.DISCARD) {
            throw new IllegalArgumentException("acceptOrder is true for a discard, expected false");
        }
        Stream.of(filter.handler(), filter.type(), filter.aggregateType(), filter.aggregateId())
                .filter(Objects::nonNull)
                .forEach(name -> requireLength("a name in the filter", name, MAX_NAME));
        if (filter.errorText() != null) {
            requireLength("the error text in the filter", filter.errorText(), MAX_ERROR);
        }
        if (filter.errorKind() != null) {
            requireLength("the kind of error in the filter", filter.errorKind(), MAX_NAME);
        }
    }

    private static void requireLength(String what, String text, int most) {
        if (text.isEmpty() || text.length() > most) {
            throw new IllegalArgumentException(what + " has " + text.length() + " characters, expected 1 to " + most);
        }
    }

    /**
     * A replay that keeps the order: see {@link #accepting(boolean)}.
     *
     * @param filter which dead letters, not null
     * @return a request with the default rate
     */
    public static BulkRequest replay(DeadLetterFilter filter) {
        return new BulkRequest(Kind.REPLAY, filter, false, DEFAULT_PER_SECOND);
    }

    /**
     * A discard.
     *
     * @param filter which dead letters, not null
     * @return a request with the default rate
     */
    public static BulkRequest discard(DeadLetterFilter filter) {
        return new BulkRequest(Kind.DISCARD, filter, false, DEFAULT_PER_SECOND);
    }

    /**
     * Sets whether a replay may deliver events behind newer ones of their aggregate.
     *
     * @param newAcceptOrder true only for handlers that can cope with it
     * @return a request with this consent
     */
    public BulkRequest accepting(boolean newAcceptOrder) {
        return new BulkRequest(kind, filter, newAcceptOrder, perSecond);
    }

    /**
     * Sets the rate.
     *
     * @param newPerSecond how many dead letters per second at most, 1 to {@link #MAX_PER_SECOND}
     * @return a request with this rate
     */
    public BulkRequest perSecond(int newPerSecond) {
        return new BulkRequest(kind, filter, acceptOrder, newPerSecond);
    }
}
