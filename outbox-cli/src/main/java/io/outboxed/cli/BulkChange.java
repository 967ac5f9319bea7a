package io.outboxed.cli;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.ReplayPreview;
import io.outboxed.cli.arguments.AttributionOptions;
import io.outboxed.cli.arguments.ChangeOptions;
import io.outboxed.cli.arguments.ConnectionOptions;
import io.outboxed.cli.arguments.FilterOptions;
import io.outboxed.cli.output.CappedCount;
import io.outboxed.cli.output.DeadLetterLines;
import io.outboxed.cli.output.OperationLines;
import io.outboxed.cli.output.OutputOptions;
import io.outboxed.cli.output.Pace;
import io.outboxed.cli.output.Terminal;
import io.outboxed.internal.database.Counted;
import io.outboxed.internal.operations.DeadLetterChanges;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.store.jdbc.DeadLetterStore.DeadLetterListener;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Changes dead letters, each in a transaction of its own: shows what it is about to do, asks, and does it. Whatever
 * ends it half-way, the rest is unchanged, and the same command continues.
 */
abstract class BulkChange implements Callable<Integer> {
    private final Terminal terminal;
    private final String verb;
    private final String done;

    @Mixin
    ConnectionOptions connection;

    @Mixin
    OutputOptions output;

    @Mixin
    FilterOptions filter;

    @Mixin
    ChangeOptions change;

    @Mixin
    AttributionOptions who;

    @Parameters(
            paramLabel = "MESSAGE-ID",
            arity = "0..1",
            description = "the dead letters of this event, of all handlers or of --handler")
    UUID id;

    @Option(names = "--blocking", description = "only those that hold up later events of their aggregate")
    boolean blocking;

    @Option(names = "--all", description = "needed if there is no condition other than --until")
    boolean all;

    @Option(
            names = "--background",
            description = "let the nodes do it, at most 100 a second unless --rate says otherwise; see \"operations\"")
    boolean background;

    /** @param done the verb's participle */
    BulkChange(Terminal terminal, String verb, String done) {
        this.terminal = terminal;
        this.verb = verb;
        this.done = done;
    }

    /** What is about to be changed. */
    record Preview(long count, long blocking, long behindNewer, List<DeadLetter> samples) {
        static Preview of(ReplayPreview found) {
            return new Preview(found.matched(), found.inPlace(), found.behindNewer(), found.newest());
        }

        CappedCount matched() {
            return new CappedCount(count, DeadLetters.MAX_COUNT);
        }

        CappedCount inPlace() {
            return new CappedCount(blocking, DeadLetters.MAX_COUNT);
        }

        boolean isCapped() {
            return matched().isCapped();
        }

        boolean wouldReorder() {
            return behindNewer > 0;
        }

        /** They have no aggregate. */
        long withoutOrder() {
            return isCapped() ? 0 : count - blocking - behindNewer;
        }
    }

    /** @param confirmed what was shown before the confirmation */
    abstract void change(
            DeadLetterChanges changes,
            DeadLetterFilter selected,
            Preview confirmed,
            int atMost,
            Attribution by,
            DeadLetterListener listener);

    /** For {@code --background}. */
    abstract BulkRequest request(DeadLetterFilter selected, Preview confirmed, int perSecond);

    /** What it means, in a sentence for each consequence. */
    abstract List<String> consequences(Preview preview);

    /** Options that have to be given with --yes. */
    abstract List<String> missingAcknowledgements(Preview preview);

    @Override
    public final Integer call() {
        change.check();
        if (background && change.hasLimit()) {
            throw connection.wrong("--limit and --background exclude each other");
        }
        if (background && rate() > BulkRequest.MAX_PER_SECOND) {
            throw connection.wrong(
                    "--rate is " + rate() + ", expected at most " + BulkRequest.MAX_PER_SECOND + " with --background");
        }
        boolean selective = id != null || blocking || !filter.isUnconditional();
        if (selective == all) {
            throw connection.wrong(
                    all
                            ? "--all excludes every condition but --until"
                            : "no dead letters are selected: name an event or a condition other than --until, or pass"
                                    + " --all");
        }
        Attribution by = who.attribution();
        try (OutboxOperations operations = connection.open()) {
            return run(operations, selected(operations), by);
        }
    }

    private DeadLetterFilter selected(OutboxOperations operations) {
        Instant now = operations.clock();
        DeadLetterFilter selected = filter.deadLetters(() -> now).message(id);
        // what dies while the operator reads the preview was not in it
        boolean isBounded = selected.diedUntil() != null && selected.diedUntil().isBefore(now);
        DeadLetterFilter bounded = isBounded ? selected : selected.diedUntil(now);
        return blocking ? bounded.onlyBlocking() : bounded;
    }

    private int run(OutboxOperations operations, DeadLetterFilter selected, Attribution by) {
        Preview preview = Preview.of(operations.deadLetterChanges().preview(selected));
        if (preview.count() == 0) {
            output.print(result(preview, 0, 0, 0), out -> out.println("No dead letter matches."));
            return id == null ? ExitCode.OK : ExitCode.FOUND;
        }
        output.note(out -> show(preview, out));
        if (!isConfirmed(preview)) {
            Map<String, Object> object = result(preview, 0, 0, 0);
            object.put(
                    "newest",
                    preview.samples().stream().map(DeadLetterLines::object).toList());
            object.put("consequences", consequences(preview));
            output.print(object, out -> out.println("Nothing was changed."));
            return ExitCode.UNCONFIRMED;
        }
        if (background) {
            return start(operations, selected, preview, by);
        }
        Counts counts = new Counts(new Pace(terminal, done, preview.matched().upTo(change.atMost()), change.rate()));
        try {
            change(operations.deadLetterChanges(), selected, preview, change.atMost(), by, counts);
        } finally {
            counts.pace.end();
            output.print(result(preview, counts.pace.done(), counts.locked, counts.displaced), counts::print);
        }
        return counts.locked + counts.displaced == 0 ? ExitCode.OK : ExitCode.FOUND;
    }

    private final class Counts implements DeadLetterListener {
        private final Pace pace;
        private int locked;
        private int displaced;

        private Counts(Pace pace) {
            this.pace = pace;
        }

        @Override
        public void changed(DeadLetter letter) {
            pace.changed();
        }

        @Override
        public void locked(DeadLetter letter) {
            locked++;
        }

        @Override
        public void lostPlace(DeadLetter letter) {
            displaced++;
        }

        private void print(PrintWriter out) {
            out.println(Counted.of(pace.done(), "dead letter was", "dead letters were") + " " + done + ".");
            if (locked > 0) {
                out.println(Counted.of(locked, "is in use and was skipped", "are in use and were skipped")
                        + ": run the command again.");
            }
            if (displaced > 0) {
                out.println(Counted.of(
                                displaced,
                                "was skipped because its message is",
                                "were skipped because their messages are")
                        + " no longer in the table: pass --allow-reordering to deliver them behind newer events.");
            }
        }
    }

    private int start(OutboxOperations operations, DeadLetterFilter selected, Preview confirmed, Attribution by) {
        BulkOperation started = operations.bulk().start(request(selected, confirmed), by);
        output.print(OperationLines.object(started), out -> OperationLines.printStarted(started, out));
        return ExitCode.OK;
    }

    private BulkRequest request(DeadLetterFilter selected, Preview confirmed) {
        try {
            return request(selected, confirmed, rate());
        } catch (IllegalArgumentException e) {
            throw connection.wrong(e.getMessage());
        }
    }

    private int rate() {
        return change.rate() == null ? BulkRequest.DEFAULT_PER_SECOND : change.rate();
    }

    private void show(Preview preview, PrintWriter out) {
        out.println(preview.matched().begin("dead letter matches", "dead letters match")
                + ". Holding up later events of their aggregate: "
                + preview.inPlace().number() + ".");
        DeadLetterLines.print(preview.samples(), out);
        if (preview.count() > preview.samples().size()) {
            out.println("… and older ones");
        }
        consequences(preview).forEach(out::println);
    }

    private boolean isConfirmed(Preview preview) {
        if (change.yes()) {
            List<String> missing = missingAcknowledgements(preview);
            missing.forEach(option -> terminal.err().println("outbox: " + option));
            return missing.isEmpty();
        }
        return terminal.confirms(verb, verb + " them", output.isJson());
    }

    private Map<String, Object> result(Preview preview, long changed, int locked, int displaced) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("matched", preview.count());
        object.put("blocking", preview.blocking());
        object.put("behindNewer", preview.behindNewer());
        object.put(done, changed);
        object.put("locked", locked);
        object.put("lostPlace", displaced);
        Map<String, CappedCount> counts = new LinkedHashMap<>();
        counts.put("matched", preview.matched());
        counts.put("blocking", preview.inPlace());
        counts.put("behindNewer", new CappedCount(preview.behindNewer(), DeadLetters.MAX_COUNT));
        object.put("atLeast", CappedCount.capped(counts));
        return object;
    }
}
