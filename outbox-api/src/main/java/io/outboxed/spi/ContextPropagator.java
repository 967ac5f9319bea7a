package io.outboxed.spi;

import io.outboxed.OutboxMessage;
import java.util.Map;

/**
 * Carries part of the publisher's context to the handlers: a tenant, a principal, a locale. An application provides one
 * or several as CDI beans; all of them are used, in the order of their class names. Must be thread-safe.
 *
 * <p>What {@link #capture} returns is stored in the message's headers. Everyone who can read the table can read them,
 * so they must not contain secrets: store the name of the principal, for example, but not a token that could be used
 * again.
 */
public interface ContextPropagator {

    /**
     * Called at each publish, on the publisher's thread and in its transaction.
     *
     * @return headers for the message in the form of {@link io.outboxed.PublishOptions#header}, empty for none, not
     *     null; a header of the same name that the publisher sets itself takes precedence, and two propagators can't
     *     return the same name
     * @throws RuntimeException fails the publish with {@code OUTBOX-0115}; nothing is stored
     */
    Map<String, String> capture();

    /**
     * Called before each attempt of a handler, on its thread, with an active request context and before the attempt's
     * transaction begins.
     *
     * @param message the message that is about to be delivered, with all its headers; not null
     * @return is closed after the attempt, on the same thread, to restore the previous context; null if there is
     *     nothing to restore. An exception is logged ({@code OUTBOX-0594}) and has no other effect
     * @throws Exception counts as a failure of the handler ({@code OUTBOX-0547}), which is not called
     */
    AutoCloseable restore(OutboxMessage message) throws Exception;
}
