package io.outboxed.admin;

import java.util.List;

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
}
