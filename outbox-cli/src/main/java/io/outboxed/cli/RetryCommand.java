package io.outboxed.cli;

import io.outboxed.DeadLetters;
import io.outboxed.admin.AggregateState.Wait;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.BulkRequest.RetryPreview;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingState;
import io.outboxed.cli.arguments.AttributionOptions;
import io.outboxed.cli.arguments.ConnectionOptions;
import io.outboxed.cli.arguments.FilterOptions;
import io.outboxed.cli.output.CappedCount;
import io.outboxed.cli.output.OperationLines;
import io.outboxed.cli.output.OutputOptions;
import io.outboxed.cli.output.Terminal;
import io.outboxed.cli.output.WaitingLines;
import io.outboxed.internal.operations.OutboxOperations;
import java.time.Instant;
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

/** Makes waiting deliveries due now: one, or many by the nodes. */
@Command(
        name = "retry",
        description = "Makes deliveries that wait for their next attempt due now, as \"list --state waiting\" shows"
                + " them: one, or with --background many.")
final class RetryCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    ConnectionOptions connection;

    @Mixin
    OutputOptions output;

    @Mixin
    FilterOptions filter;

    @Mixin
    AttributionOptions who;

    @Parameters(paramLabel = "MESSAGE-ID", arity = "0..1", description = "the event, with --handler")
    UUID id;

    @Option(names = "--all", description = "needed with --background if there is no condition other than --until")
    boolean all;

    @Option(names = "--background", description = "let the nodes retry all that match; see \"operations\"")
    boolean background;

    @Option(names = "--yes", description = "with --background: don't ask for confirmation")
    boolean yes;

    @Option(
            names = "--rate",
            paramLabel = "COUNT",
            description = "with --background: at most this many a second; default: 100")
    Integer rate;

    RetryCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        checkOptions();
        Attribution by = who.attribution();
        try (OutboxOperations operations = connection.open()) {
            return background ? retryMany(operations, by) : retryOne(operations, by);
        }
    }

    private void checkOptions() {
        if (!background && (id == null || filter.handler() == null)) {
            throw connection.wrong(
                    "name an event and --handler, or pass --background and conditions to retry many deliveries");
        }
        if (!background && (all || yes || rate != null || filter.selectsMoreThanHandler())) {
            throw connection.wrong("conditions other than --handler, --all, --yes and --rate need --background");
        }
        if (background && id != null) {
            throw connection.wrong("an event and --background exclude each other");
        }
        if (rate != null && (rate < 1 || rate > BulkRequest.MAX_PER_SECOND)) {
            throw connection.wrong("--rate is " + rate + ", expected 1 to " + BulkRequest.MAX_PER_SECOND);
        }
        if (background && filter.isUnconditional() != all) {
            throw connection.wrong(
                    all
                            ? "--all excludes every condition but --until"
                            : "no deliveries are selected: pass a condition other than --until, or --all");
        }
    }

    // ---- many ----

    private int retryMany(OutboxOperations operations, Attribution by) {
        BulkRequest request = request(selected(operations));
        RetryPreview preview = operations.messages().previewRetry(request.waiting());
        CappedCount matched = new CappedCount(preview.matched(), DeadLetters.MAX_COUNT);
        if (preview.matched() == 0) {
            output.print(result(matched), out -> out.println("No matching delivery waits for a later attempt."));
            return ExitCode.OK;
        }
        output.note(out -> {
            out.println(matched.begin("delivery matches", "deliveries match") + ".");
            if (!preview.oldest().isEmpty()) {
                WaitingLines.print(preview.oldest(), out);
                if (preview.matched() > preview.oldest().size()) {
                    out.println("… and newer ones");
                }
            }
            out.println("Each becomes due now, and its attempts so far still count.");
        });
        if (!isConfirmed()) {
            Map<String, Object> object = result(matched);
            object.put(
                    "oldest",
                    preview.oldest().stream().map(WaitingLines::object).toList());
            output.print(object, out -> out.println("Nothing was changed."));
            return ExitCode.UNCONFIRMED;
        }
        BulkOperation started = operations.bulk().start(request, by);
        output.print(OperationLines.object(started), out -> OperationLines.printStarted(started, out));
        return ExitCode.OK;
    }

    /** What is stored while the operator reads the preview was not in it. */
    private WaitingFilter selected(OutboxOperations operations) {
        Instant now = operations.clock();
        WaitingFilter selected = filter.waiting(WaitingState.WAITING, () -> now);
        if (selected.createdSince() != null && !selected.createdSince().isBefore(now)) {
            throw connection.wrong("--since is " + selected.createdSince() + ", expected a time in the past");
        }
        boolean isBounded =
                selected.createdUntil() != null && selected.createdUntil().isBefore(now);
        return isBounded ? selected : selected.createdUntil(now);
    }

    private BulkRequest request(WaitingFilter selected) {
        try {
            return BulkRequest.retry(selected).perSecond(rate == null ? BulkRequest.DEFAULT_PER_SECOND : rate);
        } catch (IllegalArgumentException e) {
            throw connection.wrong(e.getMessage());
        }
    }

    private boolean isConfirmed() {
        return yes || terminal.confirms("retry", "retry them", output.isJson());
    }

    private static Map<String, Object> result(CappedCount matched) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("matched", matched.count());
        object.put("atLeast", CappedCount.capped(Map.of("matched", matched)));
        return object;
    }

    // ---- one ----

    private int retryOne(OutboxOperations operations, Attribution by) {
        String handler = filter.handler();
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
                                        + " waits for an attempt. Nothing was changed."));
        return changed ? ExitCode.OK : ExitCode.FOUND;
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
