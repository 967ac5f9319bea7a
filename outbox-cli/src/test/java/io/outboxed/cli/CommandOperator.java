package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.DeadLetter;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.AuditEntry;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.FailureGroup;
import io.outboxed.admin.PauseTarget;
import io.outboxed.admin.RegisteredHandler;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.operator.Operator;
import io.outboxed.operator.OperatorJson;
import io.outboxed.operator.Outcome;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Commands with {@code --json}. */
record CommandOperator(Function<List<String>, Ended> program) implements Operator {
    private static final String BY = "alice";

    /** How a command has ended. */
    record Ended(int exit, String output, String errors) {
        JsonObject json() {
            assertThat(output.lines()).as(errors).hasSize(1);
            return OperatorJson.object(output);
        }
    }

    @Override
    public String who() {
        return CommandRunner.audited(BY);
    }

    @Override
    public String via() {
        return "cli";
    }

    private Ended run(CommandArguments arguments) {
        return program.apply(arguments.with("--json").list());
    }

    private Ended read(CommandArguments arguments, int... otherExits) {
        Ended ended = run(arguments);
        if (ended.exit() == ExitCode.USAGE) {
            throw new IllegalArgumentException(ended.errors());
        }
        assertThat(ended.exit()).as(ended.errors()).isIn(allowed(otherExits));
        return ended;
    }

    private static List<Integer> allowed(int... otherExits) {
        return Stream.concat(Stream.of(ExitCode.OK), Arrays.stream(otherExits).boxed())
                .toList();
    }

    // ---- reading ----

    @Override
    public Status status() {
        JsonObject status = read(CommandArguments.of("status")).json();
        return new Status(
                Stream.of("ready", "parked", "waiting", "blocked", "dead")
                        .collect(Collectors.toMap(Function.identity(), state -> (long) status.getInt(state))),
                status.getInt("blockedAggregates"),
                status.getJsonArray("atLeast").getValuesAs(JsonString::getString),
                status.getJsonArray("pauses").getValuesAs(CommandOperator::paused));
    }

    private static Paused paused(JsonObject pause) {
        PauseTarget.Kind kind = PauseTarget.Kind.valueOf(pause.getString("kind").toUpperCase(Locale.ROOT));
        return new Paused(
                new PauseTarget(kind, pause.getString("name")), pause.getString("by"), pause.getString("reason"));
    }

    @Override
    public List<RegisteredHandler> handlers() {
        return OperatorJson.handlers(read(CommandArguments.of("handlers")).json());
    }

    @Override
    public List<FailureGroup> failures(DeadLetterFilter filter) {
        return OperatorJson.failures(
                read(CommandArguments.of("failures").selecting(filter)).json());
    }

    @Override
    public Page<DeadLetter> deadLetters(DeadLetterFilter filter, String after, int limit) {
        CommandArguments list = CommandArguments.of("list").selecting(filter).page(after, limit);
        return OperatorJson.page(read(list).json(), "found", OperatorJson::deadLetter);
    }

    /** Without a confirmation. */
    @Override
    public Preview preview(DeadLetterFilter filter) {
        JsonObject found = read(
                        CommandArguments.of("replay").selectingOrAll(filter), ExitCode.UNCONFIRMED, ExitCode.FOUND)
                .json();
        assertThat(found.getInt("replayed")).isZero();
        return new Preview(found.getInt("matched"), found.getInt("blocking"));
    }

    @Override
    public Page<Waiting> waiting(WaitingFilter filter, String after, int limit) {
        CommandArguments list = CommandArguments.of("list").selecting(filter).page(after, limit);
        return OperatorJson.page(
                read(list).json(),
                "found",
                item -> new Waiting(
                        OperatorJson.id(item, "messageId"),
                        item.getString("type"),
                        item.getString("aggregateType"),
                        item.getString("aggregateId"),
                        item.getString("handler", null),
                        item.getInt("attempts"),
                        Instant.parse(item.getString("dueAt")),
                        item.getString("lastError", null)));
    }

    @Override
    public Optional<Event> event(String id) {
        Ended ended = read(CommandArguments.of("show", id), ExitCode.FOUND);
        return ended.exit() == ExitCode.FOUND ? Optional.empty() : Optional.of(OperatorJson.event(ended.json()));
    }

    @Override
    public Page<AuditEntry> audit(String after, int limit) {
        return OperatorJson.page(
                read(CommandArguments.of("audit").page(after, limit)).json(),
                "found",
                entry -> OperatorJson.auditEntry(
                        entry,
                        new Attribution(entry.getString("by"), entry.getString("via"), entry.getString("reason"))));
    }

    @Override
    public Optional<Progress> operation(String id) {
        return listed(read(CommandArguments.of("operations", id), ExitCode.FOUND)).stream()
                .map(Listed::progress)
                .findFirst();
    }

    @Override
    public List<Listed> operations() {
        return listed(read(CommandArguments.of("operations")));
    }

    private static List<Listed> listed(Ended ended) {
        return ended.json()
                .getJsonArray("operations")
                .getValuesAs((JsonObject each) -> new Listed(
                        UUID.fromString(each.getString("id")),
                        new Progress(each.getString("state"), each.getInt("matched"), each.getInt("changed"))));
    }

    // ---- changing ----

    @Override
    public Outcome retry(String id, String handler, String reason) {
        return changed(CommandArguments.of("retry", id, "--handler", handler), reason);
    }

    @Override
    public Optional<HeldUp> retryHeldUp(String id, String handler, String reason) {
        Ended ended = run(CommandArguments.of("retry", id, "--handler", handler, "--by", BY, "--reason", reason));
        assertThat(ended.exit()).as(ended.errors()).isZero();
        return OperatorJson.heldUp(ended.json());
    }

    @Override
    public Outcome replay(String id, String handler, boolean allowReordering, String reason) {
        CommandArguments replay = CommandArguments.of("replay", id, "--handler", handler, "--yes")
                .when(allowReordering, "--allow-reordering");
        return change(
                replay,
                reason,
                done -> done.getInt("lostPlace") > 0 ? Outcome.WOULD_REORDER : counted(done.getInt("replayed")));
    }

    @Override
    public Outcome discard(String id, String handler, String reason) {
        CommandArguments discard = CommandArguments.of("discard", id, "--handler", handler, "--yes");
        return change(discard, reason, done -> counted(done.getInt("discarded")));
    }

    private static Outcome counted(int changed) {
        return changed == 0 ? Outcome.NOTHING_TO_CHANGE : new Outcome.Changed(changed);
    }

    @Override
    public Outcome start(Bulk bulk) {
        CommandArguments command = CommandArguments.of(bulk.kind().name().toLowerCase(Locale.ROOT))
                .when(bulk.allowReordering(), "--allow-reordering")
                .with("--yes", "--background", "--rate", Integer.toString(bulk.perSecond()));
        CommandArguments selecting = bulk.filter() == null ? command : command.selectingOrAll(bulk.filter());
        return change(
                selecting,
                bulk.reason(),
                started -> new Outcome.Started(OperatorJson.id(started, "id"), started.getInt("matched")));
    }

    @Override
    public Outcome cancel(String id, String reason) {
        return changed(CommandArguments.of("cancel", id), reason);
    }

    /** Without a confirmation. */
    @Override
    public Outcome preview(Drop drop) {
        Ended ended = run(dropping(drop));
        return ended.exit() == ExitCode.UNCONFIRMED || ended.exit() == ExitCode.OK
                ? new Outcome.WouldChange(ended.json().getInt("waiting"))
                : refused(ended);
    }

    @Override
    public Outcome drop(Drop drop) {
        Ended ended = run(dropping(drop).with("--yes", "--by", BY, "--reason", drop.reason()));
        return ended.exit() == ExitCode.OK ? new Outcome.Changed(ended.json().getInt("dropped")) : refused(ended);
    }

    private static CommandArguments dropping(Drop drop) {
        CommandArguments command = CommandArguments.of("drop-deliveries", "--handler", drop.handler())
                .when(drop.retire(), "--retire")
                .with("--limit", Integer.toString(drop.atMost()));
        return drop.type() == null ? command : command.with("--type", drop.type());
    }

    private static Outcome refused(Ended ended) {
        if (ended.exit() == ExitCode.USAGE) {
            return Outcome.WRONG;
        }
        assertThat(ended.exit()).as(ended.errors()).isEqualTo(ExitCode.FOUND);
        assertThat(ended.json().getInt("dropped")).isZero();
        return ended.errors().contains("is not retired for") ? Outcome.HANDLER_IN_USE : Outcome.NOTHING_TO_CHANGE;
    }

    @Override
    public Outcome pause(PauseTarget.Kind kind, String name, String reason) {
        return changed(CommandArguments.of("pause").naming(kind, name), reason);
    }

    @Override
    public Outcome resume(PauseTarget.Kind kind, String name, String reason) {
        return changed(CommandArguments.of("resume").naming(kind, name), reason);
    }

    private Outcome changed(CommandArguments arguments, String reason) {
        return change(arguments, reason, done -> done.getBoolean("changed") ? Outcome.DONE : Outcome.NOTHING_TO_CHANGE);
    }

    private Outcome change(CommandArguments arguments, String reason, Function<JsonObject, Outcome> outcome) {
        Ended ended = run(arguments.with("--by", BY, "--reason", reason));
        if (ended.exit() == ExitCode.FOUND && ended.errors().contains("OUTBOX-0914")) {
            return Outcome.OPERATION_RUNNING;
        }
        return switch (ended.exit()) {
            case ExitCode.USAGE -> Outcome.WRONG;
            case ExitCode.UNCONFIRMED -> {
                assertThat(ended.errors()).contains("--allow-reordering");
                yield Outcome.WOULD_REORDER;
            }
            default -> {
                Outcome found = outcome.apply(ended.json());
                boolean isRefused = found instanceof Outcome.Refused;
                assertThat(ended.exit()).as(ended.errors()).isEqualTo(isRefused ? ExitCode.FOUND : ExitCode.OK);
                yield found;
            }
        };
    }
}
