package io.outboxed.cli.output;

import io.outboxed.admin.WaitingItem;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What waits as a table and as JSON; never with payloads. */
public final class WaitingLines {
    private WaitingLines() {}

    public static void print(List<WaitingItem> items, PrintWriter out) {
        TextTable table =
                new TextTable("MESSAGE", "TYPE", "AGGREGATE", "HANDLER", "ATTEMPTS", "CREATED", "DUE", "LAST ERROR");
        items.forEach(each -> table.add(
                each.messageId(),
                each.type(),
                DeadLetterLines.aggregate(each.aggregateType(), each.aggregateId()),
                each.handler(),
                each.attempts(),
                DeadLetterLines.time(each.createdAt()),
                DeadLetterLines.time(each.dueAt()),
                each.error()));
        table.print(out);
    }

    public static Map<String, Object> object(WaitingItem delivery) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("messageId", delivery.messageId());
        object.put("type", delivery.type());
        object.put("aggregateType", delivery.aggregateType());
        object.put("aggregateId", delivery.aggregateId());
        object.put("handler", delivery.handler());
        object.put("attempts", delivery.attempts());
        object.put("createdAt", delivery.createdAt());
        object.put("dueAt", delivery.dueAt());
        object.put("lastError", delivery.error());
        return object;
    }
}
