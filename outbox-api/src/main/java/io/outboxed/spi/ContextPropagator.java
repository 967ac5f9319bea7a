package io.outboxed.spi;

import io.outboxed.OutboxMessage;
import java.util.Map;

/**
 * Takes something of the publisher's surroundings to the handlers: a tenant, a principal, a locale. An application provides
 * one or several as CDI beans; all of them are used, in the order of their classes' names. Must be thread-safe.
 *
 * <p>What {@link #capture} returns is stored in the message's headers, readable for everybody who can read the table: no
 * secrets. A token that somebody could use again does not belong there; the name of the principal does.
 */
public interface ContextPropagator {

    /**
     * Called at each publish, on the publisher's thread and in its transaction.
     *
     * @return headers for the message in the form of {@link io.outboxed.PublishOptions#header}, empty for none, not null; a
     *     header of the same name that the publisher gives itself wins, and two propagators can't return the same name
     * @throws RuntimeException fails the publish with {@code OUTBOX-0115}; nothing is stored
     */
    Map<String, String> capture();

    /**
     * Called before each try of a handler, on its thread, with an active request context and before the try's transaction
     * begins.
     *
     * @param message the message that is about to be delivered, with all its headers; not null
     * @return undoes it after the try, on the same thread; null if there is nothing to undo. What it throws is logged ({@code
     *     OUTBOX-0594}) and changes nothing else
     * @throws Exception counts as a failure of the handler ({@code OUTBOX-0547}), which is not called
     */
    AutoCloseable restore(OutboxMessage message) throws Exception;
}
