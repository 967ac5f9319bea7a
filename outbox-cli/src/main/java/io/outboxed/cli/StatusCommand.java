package io.outboxed.cli;

import io.outboxed.admin.NodeStatus;
import io.outboxed.admin.OutboxStatus;
import io.outboxed.admin.Pause;
import io.outboxed.cli.arguments.ConnectionOptions;
import io.outboxed.cli.output.CappedCount;
import io.outboxed.cli.output.DeadLetterLines;
import io.outboxed.cli.output.OutputOptions;
import io.outboxed.cli.output.Terminal;
import io.outboxed.cli.output.TextTable;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.operations.OutboxOperations;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows what is stored and who relays it. */
@Command(
        name = "status",
        description =
                "Counts what is stored, and shows the nodes and their shards. Counting stops at 100,000: \"at least\""
                        + " says so.")
final class StatusCommand implements Callable<Integer> {
    private static final String HOME_AND_CLEAR = "\u001b[H\u001b[J";

    private final Terminal terminal;

    @Mixin
    ConnectionOptions connection;

    @Mixin
    OutputOptions output;

    @Option(
            names = "--watch",
            paramLabel = "SECONDS",
            arity = "0..1",
            fallbackValue = "2",
            description = "repeat, every 2 seconds or as given, until interrupted")
    Integer watch;

    StatusCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (watch != null && (watch < 1 || watch > 3600)) {
            throw connection.wrong("--watch is " + watch + ", expected 1 to 3600 seconds");
        }
        try (OutboxOperations operations = connection.open()) {
            String place = operations.description().place();
            draw(operations.status(), place);
            // after "| head", the pipe is closed: a JVM is not ended by that
            while (watch != null && !terminal.out().checkError() && terminal.pause(Duration.ofSeconds(watch))) {
                drawAgain(operations, place);
            }
            return ExitCode.OK;
        }
    }

    /** A database that is down is no reason to stop looking. */
    private void drawAgain(OutboxOperations operations, String place) {
        try {
            draw(operations.status(), place);
        } catch (StoreException e) {
            if (!e.isTransient()) {
                throw e;
            }
            new ErrorReport(terminal).report(e);
        }
    }

    private void draw(OutboxStatus status, String place) {
        if (watch != null && terminal.isInteractive()) {
            output.note(out -> out.print(HOME_AND_CLEAR));
        }
        output.print(object(status), out -> text(status, place, out));
        if (watch != null && !terminal.isInteractive()) {
            output.note(PrintWriter::println);
        }
    }

    private static void text(OutboxStatus status, String place, PrintWriter out) {
        out.println(place + " at " + status.at());
        out.println();
        TextTable counts = new TextTable("STATE", "COUNT");
        counts(status).forEach((state, found) -> counts.add(state, found.number()));
        String atLeast = status.atLeast().contains("blockedAggregates") ? "at least " : "";
        counts.add("blocked aggregates", String.format(Locale.ROOT, "%s%,d", atLeast, status.blockedAggregates()));
        counts.print(out);
        out.println();
        out.println("oldest due message: " + seconds(status.oldestAge()));
        out.println("shards: " + status.shards() + ", of which " + status.unownedShards() + " have no live node");
        out.println();
        TextTable nodes = new TextTable("NODE", "OWNER", "SHARDS", "LAST HEARTBEAT");
        status.nodes()
                .forEach(
                        node -> nodes.add(node.label(), node.owner(), node.shards(), seconds(node.silence()) + " ago"));
        nodes.print(out);
        if (!status.pauses().isEmpty()) {
            out.println();
            TextTable pauses = new TextTable("PAUSED", "SINCE", "BY", "REASON");
            status.pauses()
                    .forEach(pause ->
                            pauses.add(pause.target(), DeadLetterLines.time(pause.since()), pause.who(), pause.why()));
            pauses.print(out);
        }
    }

    private static Map<String, CappedCount> counts(OutboxStatus status) {
        Map<String, CappedCount> counts = new LinkedHashMap<>();
        counts.put("ready", new CappedCount(status.ready(), OutboxStatus.MAX_COUNT));
        counts.put("parked", new CappedCount(status.parked(), OutboxStatus.MAX_COUNT));
        counts.put("waiting", new CappedCount(status.waiting(), OutboxStatus.MAX_COUNT));
        counts.put("blocked", new CappedCount(status.blocked(), OutboxStatus.MAX_COUNT));
        counts.put("dead", new CappedCount(status.dead(), OutboxStatus.MAX_COUNT));
        return counts;
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%,.1f s", duration.toMillis() / 1000.0);
    }

    private static Map<String, Object> object(OutboxStatus status) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("at", status.at());
        Map<String, CappedCount> counts = counts(status);
        counts.forEach((state, found) -> object.put(state, found.count()));
        object.put("atLeast", status.atLeast());
        object.put("blockedAggregates", status.blockedAggregates());
        object.put("oldestAgeSeconds", status.oldestAge());
        object.put("shards", status.shards());
        object.put("unownedShards", status.unownedShards());
        object.put("nodes", status.nodes().stream().map(StatusCommand::node).toList());
        object.put("pauses", status.pauses().stream().map(StatusCommand::pause).toList());
        return object;
    }

    private static Map<String, Object> node(NodeStatus node) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("label", node.label());
        object.put("owner", node.owner());
        object.put("shards", node.shards());
        object.put("silentSeconds", node.silence());
        return object;
    }

    private static Map<String, Object> pause(Pause pause) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("kind", pause.target().kind().name().toLowerCase(Locale.ROOT));
        object.put("name", pause.target().name());
        object.put("since", pause.since());
        object.put("by", pause.who());
        object.put("reason", pause.why());
        return object;
    }
}
