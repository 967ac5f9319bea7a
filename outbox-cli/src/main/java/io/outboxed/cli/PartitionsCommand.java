package io.outboxed.cli;

import io.outboxed.OutboxException;
import io.outboxed.admin.Attribution;
import io.outboxed.cli.arguments.Age;
import io.outboxed.cli.arguments.AttributionOptions;
import io.outboxed.cli.arguments.ConnectionOptions;
import io.outboxed.cli.output.CappedCount;
import io.outboxed.cli.output.OutputOptions;
import io.outboxed.cli.output.Terminal;
import io.outboxed.internal.database.Counted;
import io.outboxed.internal.operations.HistoryPartitions;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.partitions.PartitionDryRun;
import io.outboxed.internal.partitions.PartitionRun;
import io.outboxed.internal.partitions.PartitionSettings;
import io.outboxed.internal.partitions.Period;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Maintains the partitions of the history. */
@Command(
        name = "partitions",
        description = "Shows which partitions of the history have to be created and dropped, as SQL; with --apply, does"
                + " it. Not on H2.")
final class PartitionsCommand implements Callable<Integer> {
    private static final Duration LEAST_AHEAD = Duration.ofHours(1);
    private static final Duration MOST_AHEAD = Duration.ofDays(365);
    private static final Duration LEAST_KEPT = Duration.ofMinutes(1);
    private static final Duration MOST_KEPT = Duration.ofDays(3650);

    private final Terminal terminal;

    @Mixin
    ConnectionOptions connection;

    @Mixin
    OutputOptions output;

    @Mixin
    RepeatOptions repeat;

    @Mixin
    AttributionOptions who;

    @Option(
            names = "--period",
            paramLabel = "hour|day|month",
            required = true,
            description = "what one partition contains")
    Period period;

    @Option(
            names = "--look-ahead",
            paramLabel = "DURATION",
            converter = Age.Converter.class,
            description = "how far into the future there are partitions; default: 30d")
    Age lookAhead = new Age(PartitionSettings.DEFAULT_LOOK_AHEAD);

    @Option(
            names = "--retention",
            paramLabel = "AGE",
            converter = Age.Converter.class,
            description = "drop partitions whose last row is older; default: drop none")
    Age retention;

    @Option(names = "--apply", description = "make the changes, not only show them")
    boolean apply;

    @Option(
            names = "--convert",
            description =
                    "even if many or large rows have to leave the tail; no session can write to the history meanwhile")
    boolean convert;

    @Option(names = "--yes", description = "don't ask for confirmation")
    boolean yes;

    PartitionsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        repeat.check(connection);
        if (!lookAhead.isWithin(LEAST_AHEAD, MOST_AHEAD)) {
            throw connection.wrong("--look-ahead is " + lookAhead.duration() + ", expected 1h to 365d");
        }
        Duration most = PartitionSettings.mostAhead(period);
        if (lookAhead.duration().compareTo(most) > 0) {
            throw connection.wrong("--look-ahead is " + lookAhead.duration() + ", expected at most "
                    + PartitionSettings.MOST_PERIODS_AHEAD + " periods (" + most + ")");
        }
        if (retention != null && !retention.isWithin(LEAST_KEPT, MOST_KEPT)) {
            throw connection.wrong("--retention is " + retention.duration() + ", expected 1m to 3650d");
        }
        if (repeat.every != null && (!apply || convert)) {
            throw connection.wrong("--every needs --apply, and does not go with --convert");
        }
        if (repeat.every != null && repeat.every.duration().compareTo(lookAhead.duration()) > 0) {
            throw connection.wrong("--every is " + repeat.every.duration()
                    + ", expected at most --look-ahead, which is " + lookAhead.duration());
        }
        if (yes && !apply) {
            throw connection.wrong("--yes confirms nothing without --apply: pass it too, or leave out --yes");
        }
        Attribution by = who.attribution();
        try (OutboxOperations operations = connection.open()) {
            return run(operations.partitions(), by);
        }
    }

    private int run(HistoryPartitions partitions, Attribution by) {
        PartitionSettings settings = PartitionSettings.of(
                period, lookAhead.duration(), Optional.ofNullable(retention).map(Age::duration));
        PartitionSettings wanted = convert ? settings.withAnyTail() : settings;
        PartitionDryRun plan = partitions.plan(wanted);
        if (!apply) {
            output.print(object(plan, wanted), out -> show(plan, wanted, out));
            throwRefusal(plan);
            return ExitCode.OK;
        }
        output.note(out -> show(plan, wanted, out));
        if (plan.statements().isEmpty() && !yes && repeat.every == null) {
            return leave(plan);
        }
        if (!isConfirmed()) {
            output.print(object(plan, wanted), out -> out.println("Nothing was changed."));
            return ExitCode.UNCONFIRMED;
        }
        return repeat.run(() -> report(partitions.apply(wanted, by)));
    }

    private static void throwRefusal(PartitionDryRun plan) {
        plan.refusal().ifPresent(refusal -> {
            throw refusal;
        });
    }

    /** A run would make a new plan. If a period has ended since, it would make changes that were not confirmed. */
    private int leave(PartitionDryRun plan) {
        throwRefusal(plan);
        return report(
                plan.tailTooLong()
                        ? new PartitionRun.TailTooLong(List.of(), plan.tailRows())
                        : new PartitionRun.Done(List.of()));
    }

    private static void show(PartitionDryRun plan, PartitionSettings settings, PrintWriter out) {
        plan.statements().forEach(each -> out.println(each + ";"));
        if (plan.statements().isEmpty() && plan.refusal().isEmpty()) {
            out.println("There is nothing to change.");
        }
        if (plan.tailRows() > 0) {
            out.println("The tail has " + tailRows(plan, settings).number() + " rows, which the first statement copies"
                    + " or reads while no session can write to the history.");
        }
        if (plan.tailTooLong()) {
            out.println("They are too many or too large to move while applications are working, so nothing is added:"
                    + " choose a quiet time and pass --convert.");
        }
    }

    private boolean isConfirmed() {
        return yes || terminal.confirms("partitions", "make these changes", output.isJson());
    }

    private int report(PartitionRun run) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("result", run.getClass().getSimpleName().toLowerCase(Locale.ROOT));
        object.put("statements", run.statements());
        output.print(object, out -> {
            out.println(Counted.of(run.statements().size(), "statement was", "statements were") + " executed.");
            why(run).ifPresent(out::println);
        });
        return run instanceof PartitionRun.Done ? ExitCode.OK : ExitCode.FOUND;
    }

    private static Optional<String> why(PartitionRun run) {
        if (run instanceof PartitionRun.Busy) {
            return Optional.of("Another session maintains the partitions now, so nothing was changed: run the command"
                    + " again. docs/tables.md#history shows how to find the session.");
        }
        if (run instanceof PartitionRun.Postponed postponed) {
            return Optional.of("A transaction that uses the history did not end in time: run the command again. Left: "
                    + postponed.next());
        }
        if (run instanceof PartitionRun.TailTooLong) {
            return Optional.of("Partitions are missing, because the tail has too many rows, or rows that are too large"
                    + " or take too long to move: choose a quiet time and pass --convert.");
        }
        return Optional.empty();
    }

    private static CappedCount tailRows(PartitionDryRun plan, PartitionSettings settings) {
        return new CappedCount(plan.tailRows(), settings.maxTailRows() + 1);
    }

    static Map<String, Object> object(PartitionDryRun plan, PartitionSettings settings) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("statements", plan.statements());
        object.put("tailRows", plan.tailRows());
        object.put("tailTooLong", plan.tailTooLong());
        object.put("refusal", plan.refusal().map(OutboxException::getMessage).orElse(null));
        object.put("atLeast", CappedCount.capped(Map.of("tailRows", tailRows(plan, settings))));
        return object;
    }
}
