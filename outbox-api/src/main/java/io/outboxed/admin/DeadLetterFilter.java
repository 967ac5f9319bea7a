package io.outboxed.admin;

import io.outboxed.DeadLetter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/**
 * Selects the dead letters that meet all conditions. Immutable; start with {@link #all()} and add conditions. Null,
 * or false for {@code blocking}, means that there is no such condition.
 *
 * <p>Each of these conditions has an index: {@code messageId}, {@code handler}, {@code type}, {@code aggregateId},
 * {@code diedSince} and {@code diedUntil}. A page then costs the same however many other dead letters there are.
 * Further conditions are applied to the rows that the index leads to; without any of these, that is all of them.
 *
 * @param messageId the event's id
 * @param handler the handler's name, exactly
 * @param type the event's type, exactly
 * @param aggregateType the aggregate's type, exactly
 * @param aggregateId the aggregate's identity, exactly
 * @param errorText a part of {@link DeadLetter#error()}, upper and lower case distinguished
 * @param errorKind the {@link FailureGroup#error()} of a group of failures, exactly
 * @param diedSince the earliest time of death, inclusive; compared in microseconds, on the database's clock. Nothing
 *     has died before 1970: a time up to its beginning is no condition, and null afterwards
 * @param diedUntil the latest time of death, exclusive; compared in microseconds, on the database's clock
 * @param blocking true: only those that later events of their aggregate wait for
 */
public record DeadLetterFilter(
        UUID messageId,
        String handler,
        String type,
        String aggregateType,
        String aggregateId,
        String errorText,
        String errorKind,
        Instant diedSince,
        Instant diedUntil,
        boolean blocking) {

    private static final Instant FIRST_CONDITION = Instant.EPOCH.plus(1, ChronoUnit.MICROS);

    private static final DeadLetterFilter ALL =
            new DeadLetterFilter(null, null, null, null, null, null, null, null, null, false);

    /**
     * Checks the conditions.
     *
     * @param messageId or null
     * @param handler or null
     * @param type or null
     * @param aggregateType or null
     * @param aggregateId or null
     * @param errorText or null
     * @param errorKind or null
     * @param diedSince or null
     * @param diedUntil or null
     * @param blocking false for no such condition
     * @throws IllegalArgumentException if a text is empty: it would be a part of every error
     */
    public DeadLetterFilter {
        requireNotEmpty("handler", handler);
        requireNotEmpty("type", type);
        requireNotEmpty("aggregateType", aggregateType);
        requireNotEmpty("aggregateId", aggregateId);
        requireNotEmpty("errorText", errorText);
        requireNotEmpty("errorKind", errorKind);
        diedSince = diedSince != null && diedSince.isBefore(FIRST_CONDITION) ? null : diedSince;
    }

    private static void requireNotEmpty(String name, String text) {
        if (text != null && text.isEmpty()) {
            throw new IllegalArgumentException(name + " is empty, expected a text, or null for no such condition");
        }
    }

    /**
     * Selects all dead letters.
     *
     * @return a filter without conditions
     */
    public static DeadLetterFilter all() {
        return ALL;
    }

    /**
     * Selects the dead letters of one handler.
     *
     * @param newHandler the handler's name, null for any
     * @return a filter with this condition instead of the one on the handler
     */
    public DeadLetterFilter handler(String newHandler) {
        return new DeadLetterFilter(
                messageId,
                newHandler,
                type,
                aggregateType,
                aggregateId,
                errorText,
                errorKind,
                diedSince,
                diedUntil,
                blocking);
    }

    /**
     * Selects the dead letters of one event type.
     *
     * @param newType the event's type, null for any
     * @return a filter with this condition instead of the one on the type
     */
    public DeadLetterFilter type(String newType) {
        return new DeadLetterFilter(
                messageId,
                handler,
                newType,
                aggregateType,
                aggregateId,
                errorText,
                errorKind,
                diedSince,
                diedUntil,
                blocking);
    }

    /**
     * Selects the dead letters of one aggregate.
     *
     * @param newType the aggregate's type, null for any
     * @param newId the aggregate's identity, compared by its {@code toString()}; null for any
     * @return a filter with these conditions instead of those on the aggregate
     */
    public DeadLetterFilter aggregate(String newType, Object newId) {
        return new DeadLetterFilter(
                messageId,
                handler,
                type,
                newType,
                newId == null ? null : newId.toString(),
                errorText,
                errorKind,
                diedSince,
                diedUntil,
                blocking);
    }

    /**
     * Selects the dead letters of one event.
     *
     * @param newMessageId the event's id, null for any
     * @return a filter with this condition instead of the one on the event
     */
    public DeadLetterFilter message(UUID newMessageId) {
        return new DeadLetterFilter(
                newMessageId,
                handler,
                type,
                aggregateType,
                aggregateId,
                errorText,
                errorKind,
                diedSince,
                diedUntil,
                blocking);
    }

    /**
     * Selects dead letters by a part of their error. Every dead letter that meets the other conditions is read.
     *
     * @param newText a part of {@link DeadLetter#error()}, null for any; upper and lower case are distinguished
     * @return a filter with this condition instead of the one on the error
     */
    public DeadLetterFilter error(String newText) {
        return new DeadLetterFilter(
                messageId,
                handler,
                type,
                aggregateType,
                aggregateId,
                newText,
                errorKind,
                diedSince,
                diedUntil,
                blocking);
    }

    /**
     * Selects dead letters by the kind of their error, as {@code OutboxAdmin.failures} groups them. Every dead
     * letter that meets the other conditions is read.
     *
     * @param newKind the {@link FailureGroup#error()} of a group, exactly; null for any
     * @return a filter with this condition instead of the one on the kind of the error
     */
    public DeadLetterFilter errorKind(String newKind) {
        return new DeadLetterFilter(
                messageId,
                handler,
                type,
                aggregateType,
                aggregateId,
                errorText,
                newKind,
                diedSince,
                diedUntil,
                blocking);
    }

    /**
     * Selects dead letters that died at this time or later.
     *
     * @param newSince the earliest time of death, inclusive; null for any
     * @return a filter with this condition instead of the one on the earliest time
     */
    public DeadLetterFilter diedSince(Instant newSince) {
        return new DeadLetterFilter(
                messageId,
                handler,
                type,
                aggregateType,
                aggregateId,
                errorText,
                errorKind,
                newSince,
                diedUntil,
                blocking);
    }

    /**
     * Selects dead letters that died before this time.
     *
     * @param newUntil the latest time of death, exclusive; null for any
     * @return a filter with this condition instead of the one on the latest time
     */
    public DeadLetterFilter diedUntil(Instant newUntil) {
        return new DeadLetterFilter(
                messageId,
                handler,
                type,
                aggregateType,
                aggregateId,
                errorText,
                errorKind,
                diedSince,
                newUntil,
                blocking);
    }

    /**
     * Selects dead letters that block their aggregate.
     *
     * @return a filter that has this condition too
     */
    public DeadLetterFilter onlyBlocking() {
        return new DeadLetterFilter(
                messageId, handler, type, aggregateType, aggregateId, errorText, errorKind, diedSince, diedUntil, true);
    }

    /** False if they name different values in the same field, or periods that do not overlap. */
    boolean mayOverlap(DeadLetterFilter other) {
        return !differ(messageId, other.messageId)
                && !differ(handler, other.handler)
                && !differ(type, other.type)
                && !differ(aggregateType, other.aggregateType)
                && !differ(aggregateId, other.aggregateId)
                && !differInKind(errorKind, other.errorKind)
                && !isEarlier(diedUntil, other.diedSince)
                && !isEarlier(other.diedUntil, diedSince);
    }

    /** MySQL and MariaDB take no notice of spaces at the end. */
    private static boolean differ(Object one, Object other) {
        return one != null
                && other != null
                && !one.toString().stripTrailing().equals(other.toString().stripTrailing());
    }

    /** An error of a kind begins with its text. */
    private static boolean differInKind(String one, String other) {
        return one != null && other != null && !one.startsWith(other) && !other.startsWith(one);
    }

    private static boolean isEarlier(Instant until, Instant since) {
        return until != null && since != null && !until.isAfter(since);
    }
}
