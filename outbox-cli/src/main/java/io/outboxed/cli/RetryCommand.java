package io.outboxed.cli;

import io.outboxed.admin.AggregateState.Wait;
import io.outboxed.admin.Attribution;
import io.outboxed.cli.arguments.AttributionOptions;
import io.outboxed.internal.operations.OutboxOperations;
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

/** Makes a waiting delivery due now. */
@Command(
        name = "retry",
        description = "Makes a delivery that waits for its next attempt due now, as \"list --state waiting\" shows it.")
final class RetryCommand implements Callable<Integer> {
    @Mixin
    ConnectionOptions connection;

    @Mixin
    OutputOptions output;

    @Mixin
    AttributionOptions who;

    @Parameters(paramLabel = "MESSAGE-ID", description = "the event")
    UUID id;

    @Option(names = "--handler", required = true, paramLabel = "NAME", description = "whose delivery, exactly")
    String handler;

    @Override
    public Integer call() {
        Attribution by = who.attribution();
        try (OutboxOperations operations = connection.open()) {
            // read first: a command that fails has changed nothing
            Optional<Wait> found = operations.aggregates().heldUpBy(id, handler);
            boolean changed = operations.retryNow(id, handler, by);
            Optional<Wait> held = changed ? found : Optional.empty();
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("changed", changed);
            object.put("heldUpBy", held.map(RetryCommand::object).orElse(null));
            output.print(
                    object,
                    out -> out.println(
                            changed
                                    ? "Due now: " + id + " for handler " + handler + "."
                                            + held.map(this::words).orElse("")
                                    : "No delivery of " + id + " to handler " + handler
                                            + " waits for an attempt, or it is running. Nothing was changed."));
            return changed ? ExitCode.OK : ExitCode.FOUND;
        }
    }

    private static Map<String, Object> object(Wait held) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("cause", held.cause().name().toLowerCase(Locale.ROOT));
        object.put("messageId", held.messageId());
        return object;
    }

    private String words(Wait held) {
        String why = switch (held.cause()) {
            case PAUSE -> "the pause ends";
            case DEAD_LETTER -> "an operator has replayed or discarded the dead letter that holds it up";
            case NO_HANDLER -> "a node has a handler for its type";
            case RETRY, DELAY -> "that was delivered or given up";
        };
        return id.equals(held.messageId())
                ? " It runs once " + why + "."
                : " It runs after " + held.messageId() + ", which comes before it in its aggregate, once " + why + ".";
    }
}
