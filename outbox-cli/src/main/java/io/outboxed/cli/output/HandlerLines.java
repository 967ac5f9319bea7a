package io.outboxed.cli.output;

import io.outboxed.admin.RegisteredHandler;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Registered handlers as a table and as JSON. */
public final class HandlerLines {
    private HandlerLines() {}

    public static void print(List<RegisteredHandler> handlers, PrintWriter out) {
        TextTable table = TextTable.whole("HANDLER", "TYPE", "GROUP", "STATE", "VERSION", "WAITING");
        handlers.forEach(each -> table.add(
                each.handler(),
                each.type(),
                each.group(),
                each.retired() ? "retired" : "active",
                each.registryVersion(),
                waiting(each).number()));
        table.print(out);
    }

    private static CappedCount waiting(RegisteredHandler handler) {
        return handler.atLeast().isEmpty()
                ? CappedCount.exactly(handler.waiting())
                : CappedCount.atLeast(handler.waiting());
    }

    public static Map<String, Object> object(RegisteredHandler handler) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("type", handler.type());
        object.put("handler", handler.handler());
        object.put("group", handler.group());
        object.put("retired", handler.retired());
        object.put("registryVersion", handler.registryVersion());
        object.put("waiting", handler.waiting());
        object.put("atLeast", handler.atLeast());
        return object;
    }
}
