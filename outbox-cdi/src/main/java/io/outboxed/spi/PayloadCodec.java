package io.outboxed.spi;

/**
 * Turns events into text and back; JSON-B by default. An application replaces it with a CDI bean. Must be thread-safe.
 * The class to decode to comes from the deployment's own handlers, never from the row.
 */
public interface PayloadCodec {

    /** The event as text; an exception fails the caller's {@code publish}. */
    String encode(Object event);

    /** The event again; an exception is a permanent failure of the delivery. */
    <T> T decode(String text, Class<T> type);
}
