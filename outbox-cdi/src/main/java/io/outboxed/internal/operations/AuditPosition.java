package io.outboxed.internal.operations;

import io.outboxed.admin.AuditEntry;
import io.outboxed.internal.database.EpochMicros;
import java.util.UUID;

/**
 * The end of a page of the audit.
 *
 * @param micros since 1970 UTC
 */
public record AuditPosition(long micros, UUID id) {
    private static final String BETWEEN = "_";

    public static AuditPosition of(AuditEntry last) {
        return new AuditPosition(EpochMicros.of(last.at()), last.id());
    }

    /**
     * Parses a text of {@link #text}; returns null for null.
     *
     * @throws IllegalArgumentException for what {@link #text} never returns
     */
    public static AuditPosition of(String text) {
        if (text == null) {
            return null;
        }
        String[] parts = text.split(BETWEEN, 2);
        if (parts.length == 2 && parts[0].matches("\\d{1,18}")) {
            AuditPosition position = new AuditPosition(Long.parseLong(parts[0]), UUID.fromString(parts[1]));
            if (position.text().equals(text)) {
                return position;
            }
        }
        throw new IllegalArgumentException(
                "after is no AuditPage.next(): it has " + text.length() + " characters. Pass null for the first page");
    }

    public String text() {
        return micros + BETWEEN + id;
    }
}
