package io.outboxed.cli;

import io.outboxed.admin.Attribution;
import io.outboxed.cli.arguments.Age;
import io.outboxed.cli.arguments.AttributionOptions;
import io.outboxed.cli.arguments.ConnectionOptions;
import io.outboxed.cli.output.CappedCount;
import io.outboxed.cli.output.OutputOptions;
import io.outboxed.cli.output.Pace;
import io.outboxed.cli.output.Terminal;
import io.outboxed.internal.database.BatchRecorder;
import io.outboxed.internal.database.Counted;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.operations.AuditTrail;
import io.outboxed.internal.operations.ManualCleanup;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.retention.AgedTable;
import io.outboxed.internal.retention.Cleanup;
import io.outboxed.internal.retention.CleanupPass;
import io.outboxed.internal.retention.RetentionPolicy;
import io.outboxed.internal.retention.RetiredHandlers;
import io.outboxed.internal.store.HandlerKey;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Deletes old rows. */
@Command(
        name = "cleanup",
        description = "Deletes rows that are older than an age, in short transactions: the history, and what else is"
                + " named. Dead letters that hold up their aggregate are kept.")
final class CleanupCommand implements Callable<Integer> {
    private static final Duration LEAST_AGE = Duration.ofMinutes(1);
    private static final Duration MOST_AGE = Duration.ofDays(3650);
    private static final int MOST_IN_A_BATCH = 10_000;
    private static final int BATCHES_PER_LINE = 100;

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
            names = "--older-than",
            paramLabel = "AGE",
            required = true,
            converter = Age.Converter.class,
            description = "the least age, for example " + Age.WORDS)
    Age age;

    @Option(names = "--include-inbox", description = "also what was remembered for Inbox, @Idempotent and publish keys")
    boolean includeInbox;

    @Option(names = "--include-dead", description = "also dead letters that hold up nothing")
    boolean includeDead;

    @Option(
            names = "--include-audit",
            description = "also the audit of what operators have changed, and bulk operations that have ended")
    boolean includeAudit;

    @Option(
            names = "--include-retired",
            description = "also registrations of retired handlers for which nothing waits, whatever their age")
    boolean includeRetired;

    @Option(names = "--batch-size", paramLabel = "ROWS", description = "rows of one transaction; default: 1000")
    int batchSize = RetentionPolicy.DEFAULT_BATCH_SIZE;

    @Option(names = "--dry-run", description = "count what would be deleted, and change nothing")
    boolean dryRun;

    @Option(names = "--yes", description = "don't ask for confirmation")
    boolean yes;

    CleanupCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        repeat.check(connection);
        if (!age.isWithin(LEAST_AGE, MOST_AGE)) {
            throw connection.wrong("--older-than is " + age.duration() + ", expected 1m to 3650d");
        }
        if (batchSize < 1 || batchSize > MOST_IN_A_BATCH) {
            throw connection.wrong("--batch-size is " + batchSize + ", expected 1 to " + MOST_IN_A_BATCH);
        }
        if (dryRun && repeat.every != null) {
            throw connection.wrong("--dry-run counts once: leave out --every");
        }
        Attribution by = who.attribution();
        try (OutboxOperations operations = connection.open()) {
            return run(operations, by);
        }
    }

    private int run(OutboxOperations operations, Attribution by) {
        ManualCleanup rows = operations.cleanup();
        RetentionPolicy policy = policy();
        Map<AgedTable, CappedCount> found = new EnumMap<>(AgedTable.class);
        rows.count(policy).forEach((table, count) -> found.put(table, new CappedCount(count, Cleanup.MAX_COUNTED)));
        Optional<Integer> retired = retired(rows).map(List::size);
        boolean none = retired.orElse(0) == 0 && found.values().stream().allMatch(each -> each.count() == 0);
        if (none && !dryRun && !yes && repeat.every == null) {
            output.print(found(found, retired), out -> {
                printUnexamined(retired, out);
                out.println((retired.isPresent() ? "There is nothing to delete." : "There are no old rows.")
                        + " Nothing was changed.");
            });
            return ExitCode.OK;
        }
        if (!dryRun) {
            output.note(out -> {
                out.println("To be deleted: " + words(found, retired) + ". This can't be undone.");
                printUnexamined(retired, out);
            });
        }
        if (dryRun || !isConfirmed()) {
            output.print(found(found, retired), out -> {
                if (dryRun) {
                    out.println("Would be deleted: " + words(found, retired) + ".");
                    printUnexamined(retired, out);
                }
                out.println("Nothing was changed.");
            });
            return dryRun ? ExitCode.OK : ExitCode.UNCONFIRMED;
        }
        return repeat.run(() -> clean(operations, policy, by));
    }

    private Optional<List<HandlerKey>> retired(ManualCleanup rows) {
        return includeRetired ? rows.unusedHandlers() : Optional.of(List.of());
    }

    private static void printUnexamined(Optional<Integer> handlers, PrintWriter out) {
        if (handlers.isEmpty()) {
            out.printf(
                    Locale.ROOT,
                    "Registrations were not examined: more than %,d deliveries wait.%n",
                    RetiredHandlers.MOST_DELIVERIES);
        }
    }

    private RetentionPolicy policy() {
        Map<AgedTable, Duration> ages = new EnumMap<>(AgedTable.class);
        ages.put(AgedTable.HISTORY, age.duration());
        if (includeInbox) {
            ages.put(AgedTable.INBOX, age.duration());
        }
        if (includeDead) {
            ages.put(AgedTable.DEAD_LETTERS, age.duration());
        }
        if (includeAudit) {
            ages.put(AgedTable.AUDIT, age.duration());
            ages.put(AgedTable.OPERATIONS, age.duration());
        }
        return new RetentionPolicy(ages, batchSize);
    }

    private boolean isConfirmed() {
        return yes || terminal.confirms("cleanup", "delete them", output.isJson());
    }

    private int clean(OutboxOperations operations, RetentionPolicy policy, Attribution by) {
        ManualCleanup rows = operations.cleanup();
        Map<AgedTable, Long> deleted = new EnumMap<>(AgedTable.class);
        policy.ages().keySet().forEach(table -> deleted.put(table, 0L));
        Audited audited = new Audited(operations.audit(), UUID.randomUUID(), by);
        Removal removal = new Removal();
        Map<AgedTable, CappedCount> left = new EnumMap<>(AgedTable.class);
        try {
            rows.delete(
                            policy,
                            (jdbc, pass) -> audited.record(jdbc, after(deleted, pass), List.of()),
                            (pass, took) -> progress(deleted, pass, took))
                    .forEach((table, count) -> left.put(table, new CappedCount(count, Cleanup.MAX_COUNTED)));
            removal.run(rows, retired(rows), (jdbc, removed) -> audited.record(jdbc, deleted, removed));
        } finally {
            Optional<Integer> handlers = removal.count();
            output.print(deleted(exact(deleted), handlers, left), out -> {
                out.println("Deleted: " + words(exact(deleted), handlers) + ".");
                printUnexamined(handlers, out);
                printLeft(left, out);
            });
        }
        return left.values().stream().allMatch(each -> each.count() == 0) ? ExitCode.OK : ExitCode.FOUND;
    }

    private static void printLeft(Map<AgedTable, CappedCount> left, PrintWriter out) {
        long rows = left.values().stream().mapToLong(CappedCount::count).sum();
        boolean capped = left.values().stream().anyMatch(CappedCount::isCapped);
        if (rows > 0) {
            out.println((capped ? CappedCount.atLeast(rows) : CappedCount.exactly(rows))
                            .begin("row is in use and was left", "rows are in use and were left")
                    + ": run the command again.");
        }
    }

    /** The registrations that one run removes. */
    private static final class Removal {
        private final List<HandlerKey> removed = new ArrayList<>();
        private boolean examined = true;

        /** @param recorder of all that were removed so far, and the next one */
        private void run(
                ManualCleanup rows, Optional<List<HandlerKey>> retired, BatchRecorder<List<HandlerKey>> recorder) {
            examined = retired.isPresent();
            for (HandlerKey each : retired.orElse(List.of())) {
                List<HandlerKey> next =
                        Stream.concat(removed.stream(), Stream.of(each)).toList();
                if (rows.removeUnusedHandler(each, (jdbc, handler) -> recorder.record(jdbc, next))) {
                    removed.add(each);
                }
            }
        }

        private Optional<Integer> count() {
            return examined ? Optional.of(removed.size()) : Optional.empty();
        }
    }

    /** What one run writes into the audit. */
    private final class Audited {
        private final AuditTrail audit;
        private final UUID id;
        private final Attribution by;

        private Audited(AuditTrail audit, UUID id, Attribution by) {
            this.audit = audit;
            this.id = id;
            this.by = by;
        }

        private void record(Jdbc jdbc, Map<AgedTable, Long> rows, List<HandlerKey> removed) throws SQLException {
            long all = removed.size()
                    + rows.values().stream().mapToLong(Long::longValue).sum();
            String names = removed.stream()
                    .map(each -> each.handler() + " for type " + each.type())
                    .collect(Collectors.joining(", "));
            String words = words(exact(rows), Optional.of(removed.size()));
            audit.sum(jdbc, id, by, "cleanup", names.isEmpty() ? words : words + ": " + names, all);
        }
    }

    private static Map<AgedTable, Long> after(Map<AgedTable, Long> deleted, CleanupPass pass) {
        Map<AgedTable, Long> after = new EnumMap<>(deleted);
        after.put(pass.table(), pass.deleted());
        return after;
    }

    private void progress(Map<AgedTable, Long> deleted, CleanupPass pass, Duration took) {
        long before = deleted.put(pass.table(), pass.deleted());
        long step = (long) batchSize * BATCHES_PER_LINE;
        if (pass.deleted() / step > before / step) {
            terminal.err()
                    .printf(
                            Locale.ROOT,
                            "deleted %s of %s%n",
                            Counted.of(pass.deleted(), "row"),
                            pass.table().suffix());
        }
        if (!pass.finished() && !terminal.pause(Cleanup.pauseAfter(took))) {
            throw new Pace.InterruptedPaceException();
        }
    }

    private static Map<AgedTable, CappedCount> exact(Map<AgedTable, Long> rows) {
        Map<AgedTable, CappedCount> exact = new EnumMap<>(AgedTable.class);
        rows.forEach((table, count) -> exact.put(table, CappedCount.exactly(count)));
        return exact;
    }

    private String words(Map<AgedTable, CappedCount> rows, Optional<Integer> handlers) {
        StringBuilder words = new StringBuilder();
        rows.forEach((table, count) -> words.append(words.isEmpty() ? "" : ", ")
                .append(count.of("row", "rows"))
                .append(" of ")
                .append(table.suffix()));
        return includeRetired && handlers.isPresent()
                ? words + ", " + Counted.of(handlers.get(), "registration") + " of handlers"
                : words.toString();
    }

    private Map<String, Object> found(Map<AgedTable, CappedCount> rows, Optional<Integer> handlers) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("found", counts(rows, handlers));
        object.put("atLeast", CappedCount.capped(named(rows)));
        return object;
    }

    /** @param left empty if the run has not come to its end */
    private Map<String, Object> deleted(
            Map<AgedTable, CappedCount> rows, Optional<Integer> handlers, Map<AgedTable, CappedCount> left) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("deleted", counts(rows, handlers));
        if (!left.isEmpty()) {
            Map<String, Long> numbers = new LinkedHashMap<>();
            left.forEach((table, count) -> numbers.put(table.suffix(), count.count()));
            object.put("left", numbers);
            object.put("atLeast", CappedCount.capped(named(left)));
        }
        return object;
    }

    private static Map<String, CappedCount> named(Map<AgedTable, CappedCount> rows) {
        Map<String, CappedCount> named = new LinkedHashMap<>();
        rows.forEach((table, count) -> named.put(table.suffix(), count));
        return named;
    }

    private Map<String, Object> counts(Map<AgedTable, CappedCount> rows, Optional<Integer> handlers) {
        Map<String, Object> counts = new LinkedHashMap<>();
        rows.forEach((table, count) -> counts.put(table.suffix(), count.count()));
        if (includeRetired) {
            counts.put("handler", handlers.orElse(null));
        }
        return counts;
    }
}
