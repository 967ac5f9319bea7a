package io.outboxed.admin;

import java.time.Instant;
import java.util.UUID;

/**
 * A change that an operator has made, as recorded in the transaction of the change; one of partitions on MySQL and
 * MariaDB, where it has no transaction, is recorded before it is made. Components are never null unless their
 * description says so.
 *
 * @param id the entry's own id
 * @param at when it was made, on the database's clock
 * @param attribution who made it, through what, and why
 * @param action {@code pause}, {@code resume}, {@code retry-now}, {@code retry} (many at once), {@code replay},
 *     {@code edit}, {@code discard}, {@code cancel}, {@code drop-deliveries}, {@code retire}, {@code cleanup}, {@code
 *     partitions}, or a word of the application's own
 * @param target what was changed, human-readable, for example {@code handler mail}; may be empty; never contains an
 *     event's content
 * @param messageId the event that was changed; null if there was none, or more than one
 * @param count how many rows or deliveries were changed
 */
public record AuditEntry(
        UUID id, Instant at, Attribution attribution, String action, String target, UUID messageId, long count) {}
