package io.outboxed.internal.store;

/** One handler of one event type, or of {@link #ANY_TYPE}. */
public record HandlerKey(String type, String handler) {
    /** Stands for every type; no type can have this name. */
    public static final String ANY_TYPE = "*";

    public HandlerKey ofAnyType() {
        return new HandlerKey(ANY_TYPE, handler);
    }

    public boolean isOfAnyType() {
        return type.equals(ANY_TYPE);
    }
}
