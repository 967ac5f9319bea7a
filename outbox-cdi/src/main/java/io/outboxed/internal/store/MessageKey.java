package io.outboxed.internal.store;

import java.util.UUID;

/**
 * Names a message row. Neither part is enough: the database may assign a seq again after a restore or a failover, and a
 * replayed dead letter has the id of its message, which may still be there for another handler.
 */
public record MessageKey(long seq, UUID id) {}
