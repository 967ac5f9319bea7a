package io.outboxed.admin;

/**
 * A handler of an event type, as registered by a deployment.
 *
 * @param type the event's type, or {@code *} for a handler of the events of all types ({@code @AnyEvent})
 * @param handler the handler's name
 * @param group its group, within which the events of an aggregate stay in order
 * @param retired true if new events no longer wait for it
 * @param registryVersion the version of the registry that added it
 */
public record RegisteredHandler(String type, String handler, String group, boolean retired, long registryVersion) {}
