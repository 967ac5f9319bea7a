package io.outboxed.cli;

import io.outboxed.admin.Attribution;
import io.outboxed.admin.RegisteredHandler.Drop;
import io.outboxed.admin.RegisteredHandler.Verdict;
import io.outboxed.cli.arguments.AttributionOptions;
import io.outboxed.cli.arguments.ChangeOptions;
import io.outboxed.cli.arguments.ConnectionOptions;
import io.outboxed.cli.arguments.HandlerNameConverter;
import io.outboxed.cli.output.CappedCount;
import io.outboxed.cli.output.DeadLetterLines;
import io.outboxed.cli.output.OutputOptions;
import io.outboxed.cli.output.Pace;
import io.outboxed.cli.output.Terminal;
import io.outboxed.cli.output.TextTable;
import io.outboxed.internal.database.Counted;
import io.outboxed.internal.operations.DeliveryDrop;
import io.outboxed.internal.operations.HandlerDrop;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.jdbc.RetiredDeliveries;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Gives up what waits for a handler that no deployment has any more. */
@Command(
        name = "drop-deliveries",
        description = "Gives up the deliveries that wait for a retired handler. Each one is logged.")
final class DropDeliveriesCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    ConnectionOptions connection;

    @Mixin
    OutputOptions output;

    @Mixin
    ChangeOptions change;

    @Mixin
    AttributionOptions who;

    @Option(
            names = "--handler",
            paramLabel = "NAME",
            required = true,
            converter = HandlerNameConverter.class,
            description = "the handler's name, exactly")
    String handler;

    @Option(
            names = "--retire",
            description = "retire the handler first, for all types: new events no longer wait for it")
    boolean retire;

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            description = "with --retire: only for this event type, exactly, or * for its registration for any type")
    String type;

    DropDeliveriesCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        change.check();
        if (type != null && !retire) {
            throw connection.wrong("--type says what is retired: it needs --retire");
        }
        if (type != null && type.isEmpty()) {
            throw connection.wrong("--type is empty");
        }
        Attribution by = who.attribution();
        try (OutboxOperations operations = connection.open()) {
            return run(operations.handlerDrop(), by);
        }
    }

    private int run(HandlerDrop drops, Attribution by) {
        boolean wasNoticed = drops.untilNoticed(handler).isZero();
        HandlerDrop.Plan plan = drops.plan(new Drop(handler, retire, type));
        boolean isNoticed = wasNoticed && drops.untilNoticed(handler).isZero();
        CappedCount total = total(plan.waiting());
        if (plan.verdict() != Verdict.ACCEPTED) {
            terminal.err().println("outbox: " + refusal(plan));
            output.print(result(total, 0, 0), out -> {});
            return ExitCode.FOUND;
        }
        if (plan.isEmpty() && isNoticed && !change.yes()) {
            output.print(
                    result(total, 0, 0),
                    out -> out.println("No delivery waits for handler " + handler + ". Nothing was changed."));
            return ExitCode.OK;
        }
        output.note(out -> show(drops, plan, total, out));
        if (!isConfirmed()) {
            output.print(result(total, 0, 0), out -> out.println("Nothing was changed."));
            return ExitCode.UNCONFIRMED;
        }
        drops.retire(plan, by);
        return drop(drops, by, total, Notice.in(drops.untilNoticed(handler)));
    }

    private String refusal(HandlerDrop.Plan plan) {
        return switch (plan.verdict()) {
            case UNKNOWN_TYPE ->
                "no handler \"" + handler + "\" is registered for type " + TextTable.inLine(type)
                        + "; \"outbox handlers\" lists those that are";
            case NOT_RETIRED ->
                "handler " + handler + " is not retired for " + inLine(plan.active())
                        + ". Deploy without it on all nodes, then pass --retire, and --type if it remains a"
                        + " handler of other types";
            default -> "no handler \"" + handler + "\" is registered for any type";
        };
    }

    private static String inLine(List<String> types) {
        return TextTable.inLine(String.join(", ", types));
    }

    private static CappedCount total(RetiredDeliveries.Count waiting) {
        return waiting.isAll() ? CappedCount.exactly(waiting.found()) : CappedCount.atLeast(waiting.found());
    }

    private void show(HandlerDrop drops, HandlerDrop.Plan plan, CappedCount total, PrintWriter out) {
        List<String> kept = plan.active();
        if (!plan.isRegistered()) {
            out.println("It is not registered for any type.");
        }
        if (!plan.retiring().isEmpty()) {
            out.println("It will be retired for: " + inLine(plan.retiring()));
        }
        if (!kept.isEmpty()) {
            out.println("It is not retired for, and keeps the deliveries of: " + inLine(kept));
        }
        if (!plan.retiring().isEmpty() && !kept.contains(HandlerKey.ANY_TYPE)) {
            out.println(
                    kept.isEmpty()
                            ? "From then on no new events are delivered to it, not even by nodes that still have it:"
                                    + " deploy without it first. A node that has it registers it again when it starts."
                            : "From then on no new events of other types are delivered to it, not even by nodes where"
                                    + " it still observes them: deploy the change first. Such a node registers it"
                                    + " again when it starts.");
        }
        out.println(total.begin("delivery waits", "deliveries wait") + " for handler " + handler
                + ". It will never get the events that are dropped. This can't be undone.");
        TextTable table = new TextTable("MESSAGE", "TYPE", "AGGREGATE", "ATTEMPTS", "LAST ERROR");
        drops.oldest(handler)
                .forEach(each -> table.add(
                        each.messageId(),
                        each.type(),
                        DeadLetterLines.aggregate(each.aggregateType(), each.aggregateId()),
                        each.attempts(),
                        each.error()));
        table.print(out);
    }

    private boolean isConfirmed() {
        return change.yes() || terminal.confirms("drop", "drop them", output.isJson());
    }

    /**
     * When all nodes know that the handler is retired, by this run or another.
     *
     * @param left how long that takes from the begin on; zero if they know already
     */
    private record Notice(long begin, Duration left) {
        static Notice in(Duration left) {
            return new Notice(System.nanoTime(), left);
        }

        boolean isAwaited() {
            return !left.isZero();
        }

        Duration leftNow() {
            return left.minusNanos(System.nanoTime() - begin);
        }
    }

    private int drop(HandlerDrop drops, Attribution by, CappedCount total, Notice notice) {
        Pace pace = new Pace(terminal, "dropped", total.upTo(change.atMost()), change.rate());
        try (DeliveryDrop dropping = drops.begin(by, each -> pace.changed())) {
            return drop(dropping, pace, total, notice);
        }
    }

    private int drop(DeliveryDrop drops, Pace pace, CappedCount total, Notice notice) {
        try {
            drops.drop(handler, change.atMost());
            if (notice.isAwaited() && pace.done() < change.atMost()) {
                dropWhatNodesHaveAdded(drops, pace, notice);
            }
        } finally {
            pace.end();
            output.print(result(total, pace.done(), drops.locked()), out -> {
                out.println(Counted.of(pace.done(), "delivery was", "deliveries were") + " dropped.");
                if (drops.locked() > 0) {
                    out.println(Counted.of(drops.locked(), "is in use and was", "are in use and were")
                            + " skipped: run the command again.");
                }
            });
        }
        return drops.locked() == 0 ? ExitCode.OK : ExitCode.FOUND;
    }

    /** Until they notice, new events still wait for the handler. */
    private void dropWhatNodesHaveAdded(DeliveryDrop drops, Pace pace, Notice notice) {
        Duration left = notice.leftNow();
        if (left.toMillis() > 0) {
            terminal.err()
                    .println("outbox: nodes notice within " + DeliveryDrop.NOTICED_WITHIN.toSeconds()
                            + " s that the handler is retired. What they add until then is dropped too.");
            if (!terminal.pause(left)) {
                throw new Pace.InterruptedPaceException();
            }
        }
        int dropped;
        do {
            dropped = drops.drop(handler, change.atMost() - (int) pace.done());
        } while (dropped > 0 && pace.done() < change.atMost());
    }

    private static Map<String, Object> result(CappedCount total, long dropped, int locked) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("waiting", total.count());
        result.put("dropped", dropped);
        result.put("locked", locked);
        result.put("atLeast", CappedCount.capped(Map.of("waiting", total)));
        return result;
    }
}
