package io.outboxed.internal.store.jdbc.caller;

import java.util.UUID;

/**
 * A row of the inbox that a call has inserted.
 *
 * @param call identifies the call
 */
public record InboxEntry(String receiver, String messageId, UUID call) {}
