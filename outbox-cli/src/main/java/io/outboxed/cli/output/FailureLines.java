package io.outboxed.cli.output;

import io.outboxed.admin.FailureGroup;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Groups of failures as a table and as JSON. */
public final class FailureLines {
    private FailureLines() {}

    public static void print(List<FailureGroup> groups, PrintWriter out) {
        TextTable table = TextTable.whole("COUNT", "HANDLER", "TYPE", "FIRST", "LAST", "LATEST MESSAGE", "ERROR KIND");
        groups.forEach(each -> table.add(
                String.format(Locale.ROOT, "%,d", each.count()),
                each.handler(),
                each.type(),
                DeadLetterLines.time(each.firstDiedAt()),
                DeadLetterLines.time(each.lastDiedAt()),
                each.sample(),
                each.error()));
        table.print(out);
    }

    public static Map<String, Object> object(FailureGroup group) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("handler", group.handler());
        object.put("type", group.type());
        object.put("error", group.error());
        object.put("count", group.count());
        object.put("firstDiedAt", group.firstDiedAt());
        object.put("lastDiedAt", group.lastDiedAt());
        object.put("sample", group.sample());
        return object;
    }
}
