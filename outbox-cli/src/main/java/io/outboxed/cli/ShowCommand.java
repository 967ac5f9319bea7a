package io.outboxed.cli;

import io.outboxed.admin.EventContent;
import io.outboxed.admin.StoredEvent;
import io.outboxed.cli.arguments.ConnectionOptions;
import io.outboxed.cli.output.DeadLetterLines;
import io.outboxed.cli.output.OutputOptions;
import io.outboxed.cli.output.Terminal;
import io.outboxed.cli.output.TextTable;
import io.outboxed.internal.operations.OutboxOperations;
import java.io.PrintWriter;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows everything that is stored about one event. */
@Command(name = "show", description = "Shows everything that is stored about an event.")
final class ShowCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    ConnectionOptions connection;

    @Mixin
    OutputOptions output;

    @Parameters(paramLabel = "MESSAGE-ID", description = "the event's id")
    UUID id;

    @Option(names = "--payload", description = "print headers and payload too; they may contain personal data")
    boolean payload;

    ShowCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        try (OutboxOperations operations = connection.open()) {
            StoredEvent event = operations.event(id);
            if (event.isEmpty()) {
                terminal.err()
                        .println("Nothing is stored about " + id + ": it is done, it was discarded, or it never"
                                + " existed.");
                output.print(object(event, Optional.empty()), out -> {});
                return ExitCode.FOUND;
            }
            Optional<EventContent> content = payload ? operations.messages().content(id) : Optional.empty();
            output.print(object(event, content), out -> text(event, content, out));
            return ExitCode.OK;
        }
    }

    private static void text(StoredEvent event, Optional<EventContent> content, PrintWriter out) {
        if (!event.messages().isEmpty()) {
            TextTable rows = new TextTable(
                    "NUMBER", "STATE", "TYPE", "AGGREGATE", "SHARD", "VERSION", "ONLY FOR", "BYTES", "CREATED", "DUE");
            event.messages()
                    .forEach(row -> rows.add(
                            row.seq(),
                            word(row.state()),
                            row.type(),
                            DeadLetterLines.aggregate(row.aggregateType(), row.aggregateId()),
                            row.shard(),
                            row.version(),
                            row.onlyHandler(),
                            row.payloadSize(),
                            DeadLetterLines.time(row.createdAt()),
                            DeadLetterLines.time(row.dueAt())));
            section("Messages", rows, out);
        }
        if (!event.deliveries().isEmpty()) {
            TextTable deliveries =
                    new TextTable("NUMBER", "HANDLER", "GROUP", "STATE", "ATTEMPTS", "DUE", "LAST ERROR");
            event.deliveries()
                    .forEach(each -> deliveries.add(
                            each.seq(),
                            each.handler(),
                            each.group(),
                            word(each.state()),
                            each.attempts(),
                            DeadLetterLines.time(each.dueAt()),
                            each.lastError()));
            section("Deliveries", deliveries, out);
        }
        if (!event.deadLetters().isEmpty()) {
            out.println("Dead letters");
            DeadLetterLines.print(event.deadLetters(), out);
            event.deadLetters()
                    .forEach(letter -> out.println("  error of " + TextTable.inLine(letter.handler()) + ": "
                            + TextTable.indented(letter.error())));
            out.println();
        }
        event.processedAt().forEach(time -> out.println("Processed at " + time + ", in the history"));
        content.ifPresent(each -> {
            out.println("Headers: " + TextTable.indented(each.headers()));
            out.println("Payload" + (each.bytes() == null ? ": " : ", Base64: ") + TextTable.indented(body(each)));
        });
    }

    private static String word(Enum<?> state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private static void section(String title, TextTable table, PrintWriter out) {
        out.println(title);
        table.print(out);
        out.println();
    }

    private static String body(EventContent content) {
        return content.bytes() == null ? content.text() : Base64.getEncoder().encodeToString(content.bytes());
    }

    private static Map<String, Object> object(StoredEvent event, Optional<EventContent> content) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("messageId", event.id());
        object.put("messages", event.messages().stream().map(ShowCommand::row).toList());
        object.put(
                "deliveries",
                event.deliveries().stream().map(ShowCommand::delivery).toList());
        object.put(
                "deadLetters",
                event.deadLetters().stream().map(DeadLetterLines::object).toList());
        object.put("processedAt", event.processedAt());
        content.ifPresent(each -> {
            object.put("headers", each.headers());
            object.put(each.bytes() == null ? "payload" : "payloadBase64", body(each));
        });
        return object;
    }

    private static Map<String, Object> row(StoredEvent.Message row) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("number", row.seq());
        object.put("state", word(row.state()));
        object.put("type", row.type());
        object.put("aggregateType", row.aggregateType());
        object.put("aggregateId", row.aggregateId());
        object.put("shard", row.shard());
        object.put("version", row.version());
        object.put("onlyHandler", row.onlyHandler());
        object.put("payloadBytes", row.payloadSize());
        object.put("createdAt", row.createdAt());
        object.put("dueAt", row.dueAt());
        return object;
    }

    private static Map<String, Object> delivery(StoredEvent.Delivery delivery) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("number", delivery.seq());
        object.put("handler", delivery.handler());
        object.put("handlerGroup", delivery.group());
        object.put("state", word(delivery.state()));
        object.put("attempts", delivery.attempts());
        object.put("dueAt", delivery.dueAt());
        object.put("lastError", delivery.lastError());
        return object;
    }
}
