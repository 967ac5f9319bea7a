package io.outboxed.cli;

import io.outboxed.DeadLetters.Filter;
import io.outboxed.cli.output.Pace;
import io.outboxed.cli.output.Terminal;
import io.outboxed.internal.operations.Discards;
import io.outboxed.internal.operations.OutboxOperations;
import java.util.List;
import picocli.CommandLine.Command;

/** Deletes dead letters. */
@Command(
        name = "discard",
        description = "Deletes dead letters: their handlers will never get these events. Each one is logged.")
final class DiscardCommand extends BulkChange {

    DiscardCommand(Terminal terminal) {
        super(terminal, "discard", "discarded");
    }

    @Override
    void change(OutboxOperations operations, Filter selected, int atMost, Pace pace) {
        new Discards(operations.deadLetters(), letter -> pace.changed()).discard(selected, atMost);
    }

    @Override
    List<String> consequences(Preview preview) {
        return List.of(
                "Their handlers will never get these events. This can't be undone.",
                "Later events of aggregates that they hold up are delivered.");
    }

    @Override
    List<String> missingAcknowledgements(Preview preview) {
        return List.of();
    }
}
