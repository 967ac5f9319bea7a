package io.outboxed.spi;

/**
 * Encodes events as text and decodes them. The default uses JSON-B; an application replaces it with one CDI bean. Must
 * be thread-safe.
 *
 * <p>Not used for events that are published as {@code String} or {@code byte[]}, nor for observers of {@link
 * io.outboxed.OutboxMessage}. Stored events are read by later versions of the application, so {@link #decode} has to
 * understand what earlier versions of {@link #encode} have written.
 */
public interface PayloadCodec {

    /**
     * Encodes an event. Called during {@code publish}, on the caller's thread and in its transaction.
     *
     * @param event the event, not null
     * @return JSON without U+0000 and unpaired surrogates, at most {@code outbox.payload.max-bytes} as UTF-8. If {@code
     *     outbox.payload.format} is {@code binary} or {@code outbox.payload.validate} is {@code false}, any other text
     *     too. Null is rejected with {@code OUTBOX-0110}: nothing is stored
     * @throws RuntimeException fails the publish with {@code OUTBOX-0110}; nothing is stored
     */
    String encode(Object event);

    /**
     * Decodes an event. Called for each attempt of each handler, on the handler's thread, before the attempt's
     * transaction begins.
     *
     * @param text what {@link #encode} returned, not null
     * @param type the class that the handler observes. It comes from the deployment's own handlers, never from the row
     * @param <T> that class
     * @return the event. Null counts as unreadable
     * @throws RuntimeException means that the payload can't be read ({@code OUTBOX-0544}): the delivery becomes a dead
     *     letter at once, without asking the {@link FailureClassifier}
     */
    <T> T decode(String text, Class<T> type);
}
