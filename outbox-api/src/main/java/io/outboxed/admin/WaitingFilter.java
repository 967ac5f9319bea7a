package io.outboxed.admin;

import java.time.Instant;
import java.util.Objects;

/**
 * Selects what waits and meets all conditions. Immutable; start with {@link #in(WaitingState)} and add conditions. Null
 * means that there is no such condition.
 *
 * <p>Messages are read in the order of their numbers, in whatever state, until the page is full; all conditions,
 * {@code state} too, are applied to each. So a page costs what lies before its end: little if much of the backlog is
 * selected, and in a long backlog of other states or types as much as {@code OutboxAdmin.find} reads at most.
 *
 * @param state where it waits, not null
 * @param handler the handler's name, exactly; deliveries only
 * @param type the event's type, exactly
 * @param aggregateType the aggregate's type, exactly
 * @param aggregateId the aggregate's identity, exactly
 * @param errorText a part of the last error, upper and lower case distinguished; deliveries only
 * @param errorKind what the errors of one cause have in common, exactly, as {@link FailureGroup#error()} says it of
 *     dead letters; deliveries only
 * @param createdSince the earliest time at which the event was stored, inclusive, on the database's clock
 * @param createdUntil the latest such time, exclusive
 */
public record WaitingFilter(
        WaitingState state,
        String handler,
        String type,
        String aggregateType,
        String aggregateId,
        String errorText,
        String errorKind,
        Instant createdSince,
        Instant createdUntil) {

    /**
     * Checks the conditions.
     *
     * @param state where it waits
     * @param handler or null
     * @param type or null
     * @param aggregateType or null
     * @param aggregateId or null
     * @param errorText or null
     * @param errorKind or null
     * @param createdSince or null
     * @param createdUntil or null
     * @throws NullPointerException if the state is null
     * @throws IllegalArgumentException if a text is empty, if {@code handler}, {@code errorText} or {@code errorKind} is
     *     set for a state of messages, or if {@code createdUntil} is not after {@code createdSince}
     */
    public WaitingFilter {
        Objects.requireNonNull(state, "state");
        requireNotEmpty("handler", handler);
        requireNotEmpty("type", type);
        requireNotEmpty("aggregateType", aggregateType);
        requireNotEmpty("aggregateId", aggregateId);
        requireNotEmpty("errorText", errorText);
        requireNotEmpty("errorKind", errorKind);
        if (!state.isOfDeliveries() && (handler != null || errorText != null || errorKind != null)) {
            throw new IllegalArgumentException("handler, errorText and errorKind select deliveries, but " + state
                    + " lists messages: use WAITING or BLOCKED, or leave them out");
        }
        if (createdSince != null && createdUntil != null && !createdSince.isBefore(createdUntil)) {
            throw new IllegalArgumentException("createdUntil is " + createdUntil
                    + ", expected a time after createdSince, which is " + createdSince);
        }
    }

    private static void requireNotEmpty(String name, String text) {
        if (text != null && text.isEmpty()) {
            throw new IllegalArgumentException(name + " is empty, expected a text, or null for no such condition");
        }
    }

    /**
     * Selects everything in one state.
     *
     * @param state where it waits, not null
     * @return a filter without other conditions
     */
    public static WaitingFilter in(WaitingState state) {
        return new WaitingFilter(state, null, null, null, null, null, null, null, null);
    }

    /**
     * Selects by handler.
     *
     * @param newHandler the handler's name, null for any
     * @return a filter with this condition instead of the one on the handler
     */
    public WaitingFilter handler(String newHandler) {
        return new WaitingFilter(
                state, newHandler, type, aggregateType, aggregateId, errorText, errorKind, createdSince, createdUntil);
    }

    /**
     * Selects by event type.
     *
     * @param newType the event's type, null for any
     * @return a filter with this condition instead of the one on the type
     */
    public WaitingFilter type(String newType) {
        return new WaitingFilter(
                state, handler, newType, aggregateType, aggregateId, errorText, errorKind, createdSince, createdUntil);
    }

    /**
     * Selects by aggregate.
     *
     * @param newType the aggregate's type, null for any
     * @param newId the aggregate's identity, compared by its {@code toString()}; null for any
     * @return a filter with these conditions instead of those on the aggregate
     */
    public WaitingFilter aggregate(String newType, Object newId) {
        String text = newId == null ? null : newId.toString();
        return new WaitingFilter(state, handler, type, newType, text, errorText, errorKind, createdSince, createdUntil);
    }

    /**
     * Selects by a part of the last error.
     *
     * @param newText a part of the error, null for any
     * @return a filter with this condition instead of the one on the error
     */
    public WaitingFilter error(String newText) {
        return new WaitingFilter(
                state, handler, type, aggregateType, aggregateId, newText, errorKind, createdSince, createdUntil);
    }

    /**
     * Selects by the kind of the last error, as {@code OutboxAdmin.failures} groups dead letters.
     *
     * @param newKind the kind of the error, exactly; null for any
     * @return a filter with this condition instead of the one on the kind of the error
     */
    public WaitingFilter errorKind(String newKind) {
        return new WaitingFilter(
                state, handler, type, aggregateType, aggregateId, errorText, newKind, createdSince, createdUntil);
    }

    /**
     * Selects what was stored at this time or later.
     *
     * @param newSince the earliest time, inclusive; null for any
     * @return a filter with this condition instead of the one on the earliest time
     */
    public WaitingFilter createdSince(Instant newSince) {
        return new WaitingFilter(
                state, handler, type, aggregateType, aggregateId, errorText, errorKind, newSince, createdUntil);
    }

    /**
     * Selects what was stored before this time.
     *
     * @param newUntil the latest time, exclusive; null for any
     * @return a filter with this condition instead of the one on the latest time
     */
    public WaitingFilter createdUntil(Instant newUntil) {
        return new WaitingFilter(
                state, handler, type, aggregateType, aggregateId, errorText, errorKind, createdSince, newUntil);
    }
}
