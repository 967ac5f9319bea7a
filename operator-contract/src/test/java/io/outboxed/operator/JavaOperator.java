package io.outboxed.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.OutboxAdmin;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.AuditEntry;
import io.outboxed.admin.AuditPage;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.FailureGroup;
import io.outboxed.admin.OperationRunningException;
import io.outboxed.admin.OutboxStatus;
import io.outboxed.admin.Pause;
import io.outboxed.admin.PauseTarget;
import io.outboxed.admin.RegisteredHandler;
import io.outboxed.admin.ReplayPreview;
import io.outboxed.admin.StoredEvent;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingItem;
import io.outboxed.admin.WaitingPage;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** {@code OutboxAdmin}, and {@code DeadLetters} for lists. */
record JavaOperator(OutboxAdmin admin, DeadLetters letters) implements Operator {

    @Override
    public String who() {
        return "alice";
    }

    @Override
    public String via() {
        return "api";
    }

    private Attribution because(String reason) {
        return Attribution.of(who(), reason);
    }

    @Override
    public Status status() {
        OutboxStatus status = admin.status();
        return new Status(
                Map.of(
                        "ready", status.ready(),
                        "parked", status.parked(),
                        "waiting", status.waiting(),
                        "blocked", status.blocked(),
                        "dead", status.dead()),
                status.blockedAggregates(),
                status.atLeast(),
                admin.pauses().stream().map(JavaOperator::paused).toList());
    }

    private static Paused paused(Pause pause) {
        return new Paused(pause.target(), pause.who(), pause.why());
    }

    @Override
    public List<RegisteredHandler> handlers() {
        return admin.handlers();
    }

    @Override
    public List<FailureGroup> failures(DeadLetterFilter filter) {
        return admin.failures(filter);
    }

    @Override
    public Page<DeadLetter> deadLetters(DeadLetterFilter filter, String after, int limit) {
        DeadLetters.Page page = letters.find(filter, after, limit);
        return new Page<>(page.letters(), page.next());
    }

    @Override
    public Preview preview(DeadLetterFilter filter) {
        ReplayPreview preview = admin.previewReplay(filter);
        return new Preview(preview.matched(), preview.inPlace());
    }

    @Override
    public Page<Waiting> waiting(WaitingFilter filter, String after, int limit) {
        WaitingPage page = admin.find(filter, after, limit);
        return new Page<>(page.items().stream().map(JavaOperator::waiting).toList(), page.next());
    }

    private static Waiting waiting(WaitingItem item) {
        return new Waiting(
                item.messageId(),
                item.type(),
                item.aggregateType(),
                item.aggregateId(),
                item.handler(),
                item.attempts(),
                item.dueAt(),
                item.error());
    }

    @Override
    public Optional<Event> event(String id) {
        return admin.event(UUID.fromString(id))
                .map(event -> new Event(
                        event.messages().stream().map(row -> word(row.state())).toList(),
                        event.deliveries().stream()
                                .collect(Collectors.toMap(StoredEvent.Delivery::handler, each -> word(each.state()))),
                        event.deadLetters().stream().map(DeadLetter::handler).toList()));
    }

    private static String word(Enum<?> state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Page<AuditEntry> audit(String after, int limit) {
        AuditPage page = admin.audit(after, limit);
        return new Page<>(page.entries(), page.next());
    }

    @Override
    public Outcome retry(String id, String handler, String reason) {
        return changed(() -> admin.retryNow(UUID.fromString(id), handler, because(reason)));
    }

    @Override
    public Optional<HeldUp> retryHeldUp(String id, String handler, String reason) {
        assertThat(retry(id, handler, reason)).isEqualTo(Outcome.DONE);
        return admin.heldUpBy(UUID.fromString(id), handler)
                .map(wait -> new HeldUp(word(wait.cause()), wait.messageId()));
    }

    @Override
    public Outcome replay(String id, String handler, boolean allowReordering, String reason) {
        return outcome(() -> switch (admin.replay(UUID.fromString(id), handler, allowReordering, because(reason))) {
            case REPLAYED -> Outcome.DONE;
            case NOT_FOUND -> Outcome.NOTHING_TO_CHANGE;
            case WOULD_REORDER -> Outcome.WOULD_REORDER;
        });
    }

    @Override
    public Outcome discard(String id, String handler, String reason) {
        return changed(() -> admin.discard(UUID.fromString(id), handler, because(reason)));
    }

    @Override
    public Outcome start(Bulk bulk) {
        return outcome(() -> {
            BulkOperation started = admin.start(
                    new BulkRequest(bulk.kind(), bulk.filter(), bulk.allowReordering(), bulk.perSecond()),
                    because(bulk.reason()));
            return new Outcome.Started(started.id(), started.matched());
        });
    }

    @Override
    public Optional<Progress> operation(String id) {
        return admin.operation(UUID.fromString(id)).map(JavaOperator::progress);
    }

    @Override
    public List<Listed> operations() {
        return admin.operations().stream()
                .map(each -> new Listed(each.id(), progress(each)))
                .toList();
    }

    private static Progress progress(BulkOperation operation) {
        return new Progress(word(operation.state()), operation.matched(), operation.changed());
    }

    @Override
    public Outcome cancel(String id, String reason) {
        return changed(() -> admin.cancel(UUID.fromString(id), because(reason)).isPresent());
    }

    @Override
    public Outcome preview(Drop drop) {
        return outcome(() -> {
            RegisteredHandler.DropPreview preview = admin.previewDrop(asked(drop));
            return accepted(preview.verdict(), new Outcome.WouldChange(preview.waiting()));
        });
    }

    @Override
    public Outcome drop(Drop drop) {
        return outcome(() -> {
            RegisteredHandler.DropResult result =
                    admin.dropDeliveries(asked(drop), drop.atMost(), because(drop.reason()));
            return accepted(result.verdict(), new Outcome.Changed(result.dropped()));
        });
    }

    private static RegisteredHandler.Drop asked(Drop drop) {
        return new RegisteredHandler.Drop(drop.handler(), drop.retire(), drop.type());
    }

    private static Outcome accepted(RegisteredHandler.Verdict verdict, Outcome outcome) {
        return switch (verdict) {
            case ACCEPTED -> outcome;
            case UNKNOWN_HANDLER, UNKNOWN_TYPE -> Outcome.NOTHING_TO_CHANGE;
            case NOT_RETIRED -> Outcome.HANDLER_IN_USE;
        };
    }

    @Override
    public Outcome pause(PauseTarget.Kind kind, String name, String reason) {
        return changed(() -> admin.pause(new PauseTarget(kind, name), because(reason)));
    }

    @Override
    public Outcome resume(PauseTarget.Kind kind, String name, String reason) {
        return changed(() -> admin.resume(new PauseTarget(kind, name), because(reason)));
    }

    private static Outcome changed(Supplier<Boolean> change) {
        return outcome(() -> change.get() ? Outcome.DONE : Outcome.NOTHING_TO_CHANGE);
    }

    private static Outcome outcome(Supplier<Outcome> change) {
        try {
            return change.get();
        } catch (OperationRunningException e) {
            return Outcome.OPERATION_RUNNING;
        } catch (IllegalArgumentException | NullPointerException e) {
            return Outcome.WRONG;
        }
    }
}
