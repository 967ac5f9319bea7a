package io.outboxed.internal.store;

/** A handler as a deployment announces it: messages of an aggregate stay in order within its group. */
public record HandlerRegistration(String type, String handler, String group) {

    public HandlerKey key() {
        return new HandlerKey(type, handler);
    }
}
