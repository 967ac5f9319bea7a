package io.outboxed.admin;

import java.util.List;
import java.util.Objects;

/**
 * A handler of an event type, as registered by a deployment.
 *
 * @param type the event's type, or {@code *} for a handler of the events of all types ({@code @AnyEvent})
 * @param handler the handler's name
 * @param group its group, within which the events of an aggregate stay in order
 * @param retired true if new events no longer wait for it
 * @param registryVersion the version of the registry that added it
 * @param waiting how many deliveries wait for the handler of this name, of whatever type, without blocked ones. At most
 *     {@link OutboxStatus#MAX_COUNT} deliveries are read, of all handlers together
 * @param atLeast "waiting" if there are more deliveries than that, so that more of them may wait for this handler;
 *     otherwise empty; unmodifiable
 */
public record RegisteredHandler(
        String type,
        String handler,
        String group,
        boolean retired,
        long registryVersion,
        long waiting,
        List<String> atLeast) {

    /**
     * Copies the list.
     *
     * @param type the event's type
     * @param handler its name
     * @param group its group
     * @param retired whether it is retired
     * @param registryVersion the version of the registry
     * @param waiting how many deliveries
     * @param atLeast names of counts
     */
    public RegisteredHandler {
        atLeast = List.copyOf(atLeast);
    }

    /**
     * A request to drop what waits for a handler that no deployment has any more: it never gets these events. Immutable.
     *
     * @param handler the handler's name, exactly
     * @param retire whether it is retired first, so that new events no longer wait for it
     * @param type with {@code retire}: the only event type for which it is retired, or {@code *} for its registration
     *     for any type; null for all its types
     */
    public record Drop(String handler, boolean retire, String type) {

        /**
         * Checks the parts.
         *
         * @param handler the handler's name
         * @param retire whether it is retired
         * @param type for which type, or null
         * @throws NullPointerException if the handler is null
         * @throws IllegalArgumentException if the type is empty, or given although nothing is to be retired
         */
        public Drop {
            Objects.requireNonNull(handler, "handler");
            if (type != null && (type.isEmpty() || !retire)) {
                throw new IllegalArgumentException("type is \"" + type + "\" and retire is " + retire
                        + ", expected the name of a type for which the handler is to be retired");
            }
        }

        /**
         * Drops what waits for a handler that is retired already.
         *
         * @param handler its name, not null
         * @return a request that retires nothing
         */
        public static Drop of(String handler) {
            return new Drop(handler, false, null);
        }

        /**
         * Retires a handler for all its types first.
         *
         * @param handler its name, not null
         * @return a request that retires it
         */
        public static Drop retiring(String handler) {
            return new Drop(handler, true, null);
        }

        /**
         * Retires a handler for one of its types first: it observes fewer types than before.
         *
         * @param handler its name, not null
         * @param type the event type, or {@code *} for its registration for any type; not null
         * @return a request that retires it for this type
         */
        public static Drop retiring(String handler, String type) {
            return new Drop(handler, true, Objects.requireNonNull(type, "type"));
        }
    }

    /** Whether a {@link Drop} is accepted, and if not, why. */
    public enum Verdict {
        /** What waits can be dropped. */
        ACCEPTED,
        /** No handler of this name is registered, and nothing waits for one. Nothing is changed. */
        UNKNOWN_HANDLER,
        /** The handler is not registered for the type for which it was to be retired. Nothing is changed. */
        UNKNOWN_TYPE,
        /** The handler is not retired, and would get all that waits: ask to retire it. Nothing is changed. */
        NOT_RETIRED
    }

    /**
     * What a {@link Drop} would do.
     *
     * @param verdict whether it would do anything
     * @param retiring the types for which the handler would be retired
     * @param retired the types for which it is retired already
     * @param active the types for which it stays in use: their deliveries are kept
     * @param waiting how many deliveries wait for it, also of types for which it stays in use, among the first {@link
     *     io.outboxed.OutboxAdmin#MAX_SEARCHED} deliveries of whatever handler
     * @param atLeast "waiting" if there are more deliveries than that; otherwise empty
     * @param oldest the oldest of them, at most 5; fewer, if they are far apart in a long backlog
     */
    public record DropPreview(
            Verdict verdict,
            List<String> retiring,
            List<String> retired,
            List<String> active,
            long waiting,
            List<String> atLeast,
            List<WaitingItem> oldest) {

        /**
         * Copies the lists.
         *
         * @param verdict whether it would do anything
         * @param retiring types
         * @param retired types
         * @param active types
         * @param waiting how many
         * @param atLeast names of counts
         * @param oldest the oldest
         */
        public DropPreview {
            retiring = List.copyOf(retiring);
            retired = List.copyOf(retired);
            active = List.copyOf(active);
            atLeast = List.copyOf(atLeast);
            oldest = List.copyOf(oldest);
        }
    }

    /**
     * What a {@link Drop} has done.
     *
     * @param verdict whether it has done anything; otherwise the rest is empty
     * @param retired the types for which the handler was retired by it; unmodifiable
     * @param dropped how many deliveries were dropped
     * @param locked how many were left because another transaction had locked their message
     * @param complete false if more may have to be dropped: the handler was retired within the last ten seconds, by this
     *     call or by someone else, so nodes may still add deliveries; or it has left something. Then ask again, ten
     *     seconds later
     */
    public record DropResult(Verdict verdict, List<String> retired, int dropped, int locked, boolean complete) {

        /**
         * Copies the list.
         *
         * @param verdict whether it has done anything
         * @param retired types
         * @param dropped how many
         * @param locked how many
         * @param complete whether that is all
         */
        public DropResult {
            retired = List.copyOf(retired);
        }
    }
}
