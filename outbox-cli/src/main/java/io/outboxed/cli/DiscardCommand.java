package io.outboxed.cli;

import io.outboxed.admin.Attribution;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.cli.output.Terminal;
import io.outboxed.internal.operations.DeadLetterChanges;
import io.outboxed.internal.store.jdbc.DeadLetterStore.DeadLetterListener;
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
    void change(
            DeadLetterChanges changes,
            DeadLetterFilter selected,
            Preview confirmed,
            int atMost,
            Attribution by,
            DeadLetterListener listener) {
        changes.discard(selected, atMost, by, listener);
    }

    @Override
    BulkRequest request(DeadLetterFilter selected, Preview confirmed, int perSecond) {
        return BulkRequest.discard(selected).perSecond(perSecond);
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
