package io.outboxed.admin;

import java.util.List;

/**
 * A page of the audit.
 *
 * @param entries the most recent first; not null, unmodifiable
 * @param next pass it as {@code after} for the next page; null after the last page. An opaque string without spaces
 */
public record AuditPage(List<AuditEntry> entries, String next) {

    /**
     * Copies the list.
     *
     * @param entries the entries
     * @param next where the next page begins, or null
     */
    public AuditPage {
        entries = List.copyOf(entries);
    }
}
