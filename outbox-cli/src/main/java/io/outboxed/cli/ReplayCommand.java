package io.outboxed.cli;

import io.outboxed.admin.Attribution;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.cli.output.Terminal;
import io.outboxed.internal.database.Counted;
import io.outboxed.internal.operations.DeadLetterChanges;
import io.outboxed.internal.store.jdbc.DeadLetterStore.DeadLetterListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Delivers dead letters once more, each to its handler only. */
@Command(
        name = "replay",
        description = "Delivers dead letters again, with a new set of attempts, each to its own handler only.")
final class ReplayCommand extends BulkChange {

    @Option(
            names = "--allow-reordering",
            description = "with --yes: allow handlers to get events after newer ones of the same aggregate")
    boolean allowReordering;

    ReplayCommand(Terminal terminal) {
        super(terminal, "replay", "replayed");
    }

    @Override
    void change(
            DeadLetterChanges changes,
            DeadLetterFilter selected,
            Preview confirmed,
            int atMost,
            Attribution by,
            DeadLetterListener listener) {
        changes.replay(selected, atMost, allowsReordering(confirmed), by, listener);
    }

    /** Whoever has typed the confirmation has allowed what was shown, and nothing else. */
    private boolean allowsReordering(Preview confirmed) {
        return allowReordering || (!change.yes() && confirmed.wouldReorder());
    }

    @Override
    BulkRequest request(DeadLetterFilter selected, Preview confirmed, int perSecond) {
        return BulkRequest.replay(selected)
                .allowReordering(allowsReordering(confirmed))
                .perSecond(perSecond);
    }

    @Override
    List<String> consequences(Preview preview) {
        List<String> sentences = new ArrayList<>();
        if (preview.wouldReorder()) {
            sentences.add(
                    preview.isCapped()
                            ? "ORDER: those that did not hold up their aggregate are delivered behind all stored events"
                                    + " of their aggregate, so their handlers may get them after newer ones."
                            : String.format(
                                    Locale.ROOT,
                                    "ORDER: %,d of them did not hold up their aggregate. Each is delivered behind all"
                                            + " stored events of its aggregate, so its handler may get it after newer"
                                            + " ones.",
                                    preview.behindNewer()));
        }
        if (preview.blocking() > 0) {
            sentences.add(preview.inPlace()
                            .begin("is delivered in its original place", "are delivered in their original place")
                    + ": order is kept.");
        }
        if (preview.withoutOrder() > 0) {
            sentences.add(
                    Counted.of(preview.withoutOrder(), "has", "have") + " no aggregate, so there is no order to keep.");
        }
        return sentences;
    }

    @Override
    List<String> missingAcknowledgements(Preview preview) {
        if (allowReordering || !preview.wouldReorder()) {
            return List.of();
        }
        String events = preview.isCapped() ? "events" : Counted.of(preview.behindNewer(), "event");
        return List.of("pass --allow-reordering too: " + events + " may arrive after newer ones of the same aggregate");
    }
}
