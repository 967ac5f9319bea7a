package io.outboxed.cli.output;

import io.outboxed.DeadLetter;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Dead letters as a table and as JSON; never with their payloads. */
public final class DeadLetterLines {
    private DeadLetterLines() {}

    public static void print(List<DeadLetter> letters, PrintWriter out) {
        TextTable table =
                new TextTable("MESSAGE", "HANDLER", "TYPE", "AGGREGATE", "ATTEMPTS", "GIVEN UP", "BLOCKS", "ERROR");
        letters.forEach(letter -> table.add(
                letter.messageId(),
                letter.handler(),
                letter.type(),
                aggregate(letter.aggregateType(), letter.aggregateId()),
                letter.attempts(),
                time(letter.diedAt()),
                letter.blocking() ? "yes" : "no",
                letter.error()));
        table.print(out);
    }

    public static String aggregate(String type, String id) {
        return (type + " " + id).strip();
    }

    public static Instant time(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS);
    }

    public static Map<String, Object> object(DeadLetter letter) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("messageId", letter.messageId());
        object.put("handler", letter.handler());
        object.put("handlerGroup", letter.handlerGroup());
        object.put("type", letter.type());
        object.put("aggregateType", letter.aggregateType());
        object.put("aggregateId", letter.aggregateId());
        object.put("attempts", letter.attempts());
        object.put("createdAt", letter.createdAt());
        object.put("diedAt", letter.diedAt());
        object.put("blocking", letter.blocking());
        object.put("error", letter.error());
        return object;
    }
}
