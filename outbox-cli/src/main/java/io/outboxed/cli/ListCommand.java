package io.outboxed.cli;

import io.outboxed.DeadLetters;
import io.outboxed.OutboxAdmin;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingPage;
import io.outboxed.admin.WaitingState;
import io.outboxed.cli.arguments.ConnectionOptions;
import io.outboxed.cli.arguments.FilterOptions;
import io.outboxed.cli.output.DeadLetterLines;
import io.outboxed.cli.output.OutputOptions;
import io.outboxed.cli.output.TextTable;
import io.outboxed.cli.output.WaitingLines;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.operations.WaitingPosition;
import io.outboxed.internal.store.DeadLetterPosition;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists dead letters, deliveries or messages, page by page. */
@Command(name = "list", description = "Lists dead letters, the newest first, or what waits, the oldest first.")
final class ListCommand implements Callable<Integer> {
    private static final int MAX_LIMIT = 1000;

    @Mixin
    ConnectionOptions connection;

    @Mixin
    OutputOptions output;

    @Mixin
    FilterOptions filter;

    enum State {
        DEAD,
        BLOCKED,
        WAITING,
        READY,
        PARKED
    }

    @Option(
            names = "--state",
            paramLabel = "STATE",
            defaultValue = "dead",
            description = "dead (default), blocked or waiting (deliveries), ready or parked (messages)")
    State state;

    @Parameters(paramLabel = "MESSAGE-ID", arity = "0..1", description = "only the dead letters of this event")
    UUID id;

    @Option(names = "--blocking", description = "only dead letters that hold up later events of their aggregate")
    boolean blocking;

    @Option(
            names = "--limit",
            paramLabel = "COUNT",
            defaultValue = "50",
            description = "length of the page, 1 to 1000; default: 50")
    int limit;

    @Option(names = "--after", paramLabel = "KEY", description = "the next page, as printed by the previous one")
    String after;

    @Override
    public Integer call() {
        check();
        if (state == State.DEAD) {
            listDead(position(DeadLetterPosition::of));
        } else {
            listWaiting(position(WaitingPosition::of));
        }
        return ExitCode.OK;
    }

    private void check() {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw connection.wrong("--limit is " + limit + ", expected 1 to " + MAX_LIMIT);
        }
        if (state != State.DEAD && (id != null || blocking)) {
            throw connection.wrong("an event and --blocking select dead letters; --state is "
                    + state.name().toLowerCase(Locale.ROOT));
        }
        boolean messages = state == State.READY || state == State.PARKED;
        if (messages && filter.selectsDeliveries()) {
            throw connection.wrong("--handler, --error and --error-kind select deliveries; a message that is ready or"
                    + " parked waits for all its handlers");
        }
    }

    private <T> T position(Function<String, T> parse) {
        try {
            return parse.apply(after);
        } catch (IllegalArgumentException e) {
            throw connection.wrong("--after is not a key that \"list\" has printed for this state");
        }
    }

    private void listDead(DeadLetterPosition position) {
        try (OutboxOperations operations = connection.open()) {
            DeadLetterFilter conditions = filter.deadLetters(operations::clock).message(id);
            DeadLetters.Page page =
                    operations.deadLetters(blocking ? conditions.onlyBlocking() : conditions, position, limit);
            output.print(
                    object(page.letters().stream().map(DeadLetterLines::object).toList(), page.next()), out -> {
                        DeadLetterLines.print(page.letters(), out);
                        printNext(page.next(), out);
                    });
        }
    }

    private void listWaiting(WaitingPosition position) {
        try (OutboxOperations operations = connection.open()) {
            WaitingFilter conditions = filter.waiting(WaitingState.valueOf(state.name()), operations::clock);
            WaitingPage page = operations.messages().page(conditions, position, limit);
            output.print(object(page.items().stream().map(WaitingLines::object).toList(), page.next()), out -> {
                WaitingLines.print(page.items(), out);
                if (page.next() != null && page.items().size() < limit) {
                    out.printf(Locale.ROOT, "%nLooked at %,d messages, and stopped.", OutboxAdmin.MAX_SEARCHED);
                }
                printNext(page.next(), out);
            });
        }
    }

    private static void printNext(String next, PrintWriter out) {
        if (next != null) {
            out.println();
            out.println("There are more: --after " + TextTable.inLine(next));
        }
    }

    private static Map<String, Object> object(List<Map<String, Object>> lines, String next) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("found", lines);
        object.put("next", next);
        return object;
    }
}
