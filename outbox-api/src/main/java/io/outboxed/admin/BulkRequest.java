package io.outboxed.admin;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What a {@link BulkOperation} is to do. Immutable; start with {@link #replay(DeadLetterFilter)}, {@link
 * #discard(DeadLetterFilter)} or {@link #retry(WaitingFilter)}.
 *
 * @param kind what becomes of the dead letters, or of deliveries that wait
 * @param filter which ones, not null. Without a condition it selects all of them. Names have 1 to 255 characters, an
 *     error text 1 to 1,000. Of a retry: {@link #waiting()} in the same form, with the time at which the event was
 *     stored instead of that of the death
 * @param allowReordering of a replay: whether events may come behind newer ones of their aggregate. If not, dead
 *     letters whose events would are left alone. False for the others
 * @param perSecond how many are changed per second at most, 1 to {@link #MAX_PER_SECOND}
 */
public record BulkRequest(Kind kind, DeadLetterFilter filter, boolean allowReordering, int perSecond) {

    /** The highest rate: 1,000 changes per second. */
    public static final int MAX_PER_SECOND = 1_000;

    /** The rate unless another one is set: 100 changes per second. */
    public static final int DEFAULT_PER_SECOND = 100;

    private static final int MAX_NAME = 255;
    private static final int MAX_ERROR = 1_000;

    /** What is done. */
    public enum Kind {
        /** Dead letters are delivered once more, each to its handler only. */
        REPLAY,
        /** Dead letters are deleted: their handlers never get the events. */
        DISCARD,
        /** Deliveries that wait for their next attempt are due now; their attempts so far still count. */
        RETRY
    }

    /**
     * What a retry of several deliveries would do: those that are due already are not included.
     *
     * @param matched how many deliveries meet the filter and are not due yet; counting stops at a million
     * @param oldest the oldest of them, at most 5; fewer, if they are far apart in a long backlog. Unmodifiable
     */
    public record RetryPreview(long matched, List<WaitingItem> oldest) {

        /**
         * Copies the list.
         *
         * @param matched how many
         * @param oldest the oldest
         */
        public RetryPreview {
            oldest = List.copyOf(oldest);
        }
    }

    /**
     * Checks the parts.
     *
     * @param kind what is done
     * @param filter with what
     * @param allowReordering whether a replay may reorder events
     * @param perSecond the rate
     * @throws NullPointerException if the kind or the filter is null
     * @throws IllegalArgumentException for a rate out of its range, {@code allowReordering} for a discard or a retry,
     *     an event or {@code blocking} in the filter of a retry, or a name or an error text in the filter that is empty
     *     or too long
     */
    public BulkRequest {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(filter, "filter");
        if (perSecond < 1 || perSecond > MAX_PER_SECOND) {
            throw new IllegalArgumentException("perSecond is " + perSecond + ", expected 1 to " + MAX_PER_SECOND);
        }
        if (allowReordering && kind != Kind.REPLAY) {
            throw new IllegalArgumentException(
                    "allowReordering is true for a " + kind.name().toLowerCase(Locale.ROOT) + ", expected false");
        }
        if (kind == Kind.RETRY && (filter.messageId() != null || filter.blocking())) {
            throw new IllegalArgumentException("messageId or blocking is set in the filter of a retry, which selects"
                    + " deliveries that wait: leave it out");
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
     * A replay that keeps the order: see {@link #allowReordering(boolean)}.
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
     * A retry: what waits for its next attempt is due now. What is due already is left alone.
     *
     * @param filter which deliveries, not null, in state {@link WaitingState#WAITING}
     * @return a request with the default rate
     * @throws IllegalArgumentException if the filter has another state
     */
    public static BulkRequest retry(WaitingFilter filter) {
        if (filter.state() != WaitingState.WAITING) {
            throw new IllegalArgumentException("state is " + filter.state() + ", expected " + WaitingState.WAITING);
        }
        DeadLetterFilter stored = new DeadLetterFilter(
                null,
                filter.handler(),
                filter.type(),
                filter.aggregateType(),
                filter.aggregateId(),
                filter.errorText(),
                filter.errorKind(),
                filter.createdSince(),
                filter.createdUntil(),
                false);
        return new BulkRequest(Kind.RETRY, stored, false, DEFAULT_PER_SECOND);
    }

    /**
     * The deliveries that a retry selects.
     *
     * @return a filter in state {@link WaitingState#WAITING}, never null
     * @throws IllegalStateException if this is no retry
     * @throws IllegalArgumentException if the period of the filter ends before it begins
     */
    public WaitingFilter waiting() {
        if (kind != Kind.RETRY) {
            throw new IllegalStateException("a " + kind.name().toLowerCase(Locale.ROOT) + " selects dead letters");
        }
        return new WaitingFilter(
                WaitingState.WAITING,
                filter.handler(),
                filter.type(),
                filter.aggregateType(),
                filter.aggregateId(),
                filter.errorText(),
                filter.errorKind(),
                filter.diedSince(),
                filter.diedUntil());
    }

    /**
     * Says whether two requests might change the same dead letter, or the same delivery.
     *
     * @param other another request, not null
     * @return false if there is none that both can select
     */
    public boolean mayOverlap(BulkRequest other) {
        if (kind == Kind.RETRY && other.kind == Kind.RETRY) {
            // each try of a delivery may end with an error of another kind
            return filter.errorKind(null).mayOverlap(other.filter.errorKind(null));
        }
        return kind != Kind.RETRY && other.kind != Kind.RETRY && filter.mayOverlap(other.filter);
    }

    /**
     * Sets whether a replay may deliver events behind newer ones of their aggregate.
     *
     * @param newAllowReordering true only for handlers that can cope with it
     * @return a request that allows it or not
     */
    public BulkRequest allowReordering(boolean newAllowReordering) {
        return new BulkRequest(kind, filter, newAllowReordering, perSecond);
    }

    /**
     * Sets the rate.
     *
     * @param newPerSecond how many changes per second at most, 1 to {@link #MAX_PER_SECOND}
     * @return a request with this rate
     */
    public BulkRequest perSecond(int newPerSecond) {
        return new BulkRequest(kind, filter, allowReordering, newPerSecond);
    }
}
