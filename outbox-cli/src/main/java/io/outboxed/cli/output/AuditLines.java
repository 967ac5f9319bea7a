package io.outboxed.cli.output;

import io.outboxed.admin.AuditEntry;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Rows of the audit as a table and as JSON. */
public final class AuditLines {
    private AuditLines() {}

    public static void print(List<AuditEntry> entries, PrintWriter out) {
        TextTable table = new TextTable("AT", "BY", "VIA", "ACTION", "COUNT", "MESSAGE", "TARGET", "REASON");
        entries.forEach(each -> table.add(
                DeadLetterLines.time(each.at()),
                each.attribution().who(),
                each.attribution().via(),
                each.action(),
                String.format(Locale.ROOT, "%,d", each.count()),
                each.messageId(),
                each.target(),
                each.attribution().why()));
        table.print(out);
    }

    public static Map<String, Object> object(AuditEntry entry) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("id", entry.id());
        object.put("at", entry.at());
        object.put("by", entry.attribution().who());
        object.put("via", entry.attribution().via());
        object.put("reason", entry.attribution().why());
        object.put("action", entry.action());
        object.put("target", entry.target());
        object.put("messageId", entry.messageId());
        object.put("count", entry.count());
        return object;
    }
}
