package io.outboxed.cli.output;

import io.outboxed.DeadLetters;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkRequest;
import io.outboxed.internal.operations.DeadLetterChanges;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Bulk operations as a table and as JSON. */
public final class OperationLines {
    private OperationLines() {}

    public static void print(List<BulkOperation> operations, PrintWriter out) {
        TextTable table = new TextTable(
                "OPERATION", "DOES", "STATE", "CHANGED", "OF", "STARTED", "ENDED", "BY", "REASON", "SELECTS");
        operations.forEach(each -> table.add(
                each.id(),
                word(each.request().kind()),
                word(each.state()),
                String.format(Locale.ROOT, "%,d", each.changed()),
                matched(each).number(),
                DeadLetterLines.time(each.startedAt()),
                time(each.endedAt()),
                each.attribution().who(),
                each.attribution().why(),
                selects(each)));
        table.print(out);
    }

    public static Map<String, Object> object(BulkOperation operation) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("id", operation.id());
        object.put("kind", word(operation.request().kind()));
        object.put("state", word(operation.state()));
        object.put("changed", operation.changed());
        object.put("matched", operation.matched());
        object.put("atLeast", CappedCount.capped(Map.of("matched", matched(operation))));
        object.put("selects", selects(operation));
        object.put("perSecond", operation.request().perSecond());
        object.put("startedAt", operation.startedAt());
        object.put("endedAt", operation.endedAt());
        object.put("by", operation.attribution().who());
        object.put("reason", operation.attribution().why());
        return object;
    }

    /** As counted at the start. */
    private static CappedCount matched(BulkOperation operation) {
        return new CappedCount(operation.matched(), DeadLetters.MAX_COUNT);
    }

    /** The lines about an operation that has been started. */
    public static void printStarted(BulkOperation operation, PrintWriter out) {
        out.println("The nodes " + word(operation.request().kind()) + " " + counted(operation)
                + ". See how far they are with: outbox operations " + operation.id());
    }

    /** {@code 2 dead letters}, for example. */
    private static String counted(BulkOperation operation) {
        return operation.request().kind() == BulkRequest.Kind.RETRY
                ? matched(operation).of("delivery", "deliveries")
                : matched(operation).of("dead letter", "dead letters");
    }

    private static String selects(BulkOperation operation) {
        return DeadLetterChanges.words(operation.request());
    }

    private static Object time(Instant time) {
        return time == null ? "" : DeadLetterLines.time(time);
    }

    private static String word(Enum<?> each) {
        return each.name().toLowerCase(Locale.ROOT);
    }
}
