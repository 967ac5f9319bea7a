package io.outboxed.internal.admin;

import static io.outboxed.internal.operations.Arguments.requireAtMost;
import static io.outboxed.internal.operations.Arguments.requireDelivery;
import static io.outboxed.internal.operations.Arguments.requireDrop;
import static io.outboxed.internal.operations.Arguments.requireFilter;
import static io.outboxed.internal.operations.Arguments.requireMany;
import static io.outboxed.internal.operations.Arguments.requirePage;

import com.github.f4b6a3.uuid.UuidCreator;
import io.outboxed.DeadLetter;
import io.outboxed.OutboxAdmin;
import io.outboxed.admin.AggregateState;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.AuditPage;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.BulkRequest.RetryPreview;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.EditedReplay;
import io.outboxed.admin.EventContent;
import io.outboxed.admin.FailureGroup;
import io.outboxed.admin.OutboxStatus;
import io.outboxed.admin.Pause;
import io.outboxed.admin.PauseTarget;
import io.outboxed.admin.RegisteredHandler;
import io.outboxed.admin.RegisteredHandler.Drop;
import io.outboxed.admin.RegisteredHandler.DropPreview;
import io.outboxed.admin.RegisteredHandler.DropResult;
import io.outboxed.admin.ReplayPreview;
import io.outboxed.admin.ReplayResult;
import io.outboxed.admin.ShardStatus;
import io.outboxed.admin.StoredEvent;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingPage;
import io.outboxed.internal.capture.EditedPayload;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.operations.AuditPosition;
import io.outboxed.internal.operations.DeadLetterChanges;
import io.outboxed.internal.operations.OperationsTemplate;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.operations.WaitingPosition;
import io.outboxed.internal.store.jdbc.DeadLetterStore.Edited;
import io.outboxed.internal.store.jdbc.DeadLetterStore.Target;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Checks arguments and translates results; the operations do the rest. Suspends the caller's transaction: otherwise a
 * connection from the server's pool would become part of it.
 */
@ApplicationScoped
@Transactional(TxType.NOT_SUPPORTED)
public class OutboxAdminBean implements OutboxAdmin {
    private final OperationsTemplate operations;
    private final OutboxMeters meters;
    private final OutboxConfig config;

    @Inject
    OutboxAdminBean(Instance<OutboxOperations> operations, OutboxMeters meters, OutboxConfig config) {
        this.operations = new OperationsTemplate(() -> operations.get(), "OUTBOX-0446", "the outbox");
        this.meters = meters;
        this.config = config;
    }

    /** Needed by the container's proxy. */
    OutboxAdminBean() {
        this(null, null, null);
    }

    // ---- what is there ----

    @Override
    public OutboxStatus status() {
        return operations.execute(OutboxOperations::status);
    }

    @Override
    public List<ShardStatus> shards() {
        return operations.execute(OutboxOperations::shards);
    }

    @Override
    public List<RegisteredHandler> handlers() {
        return List.copyOf(operations.execute(OutboxOperations::handlers));
    }

    @Override
    public WaitingPage find(WaitingFilter filter, String after, int limit) {
        Objects.requireNonNull(filter, "filter");
        requirePage(limit, MAX_PAGE);
        WaitingPosition position = WaitingPosition.of(after);
        return operations.execute(on -> on.messages().page(filter, position, limit));
    }

    @Override
    public Optional<StoredEvent> event(UUID messageId) {
        Objects.requireNonNull(messageId, "messageId");
        return Optional.of(operations.execute(on -> on.event(messageId))).filter(event -> !event.isEmpty());
    }

    @Override
    public Optional<EventContent> content(UUID messageId) {
        Objects.requireNonNull(messageId, "messageId");
        return operations.execute(on -> on.messages().content(messageId));
    }

    @Override
    public AggregateState aggregate(String aggregateType, String aggregateId) {
        Objects.requireNonNull(aggregateType, "aggregateType");
        Objects.requireNonNull(aggregateId, "aggregateId");
        return operations.execute(on -> on.aggregates().of(aggregateType, aggregateId));
    }

    @Override
    public List<FailureGroup> failures(DeadLetterFilter filter) {
        requireFilter(filter);
        return operations.execute(on -> on.failures().of(filter, MAX_GROUPED));
    }

    // ---- deliveries ----

    @Override
    public boolean retryNow(UUID messageId, String handler, Attribution by) {
        requireChange(messageId, handler, by);
        return operations.execute(on -> on.retryNow(messageId, handler, by));
    }

    @Override
    public Optional<AggregateState.Wait> heldUpBy(UUID messageId, String handler) {
        requireDelivery(messageId, handler);
        return operations.execute(on -> on.aggregates().heldUpBy(messageId, handler));
    }

    @Override
    public ReplayPreview previewReplay(DeadLetterFilter filter) {
        requireFilter(filter);
        return operations.execute(on -> on.deadLetterChanges().preview(filter));
    }

    @Override
    public ReplayResult replay(UUID messageId, String handler, boolean allowReordering, Attribution by) {
        requireChange(messageId, handler, by);
        return replay(Target.whichever(messageId, handler), allowReordering, by);
    }

    @Override
    public ReplayResult replay(DeadLetter seen, boolean allowReordering, Attribution by) {
        return replay(target(seen, by), allowReordering, by);
    }

    private ReplayResult replay(Target target, boolean allowReordering, Attribution by) {
        return operations.execute(on -> on.deadLetterChanges().replay(target, allowReordering, by));
    }

    @Override
    public EditedReplay replayEdited(
            UUID messageId, String handler, String payload, boolean allowReordering, Attribution by) {
        requireChange(messageId, handler, by);
        return replace(Target.whichever(messageId, handler), payload, allowReordering, by);
    }

    @Override
    public EditedReplay replayEdited(DeadLetter seen, String payload, boolean allowReordering, Attribution by) {
        return replace(target(seen, by), payload, allowReordering, by);
    }

    private EditedReplay replace(Target target, String payload, boolean allowReordering, Attribution by) {
        Objects.requireNonNull(payload, "payload");
        int bytes = EditedPayload.size(payload, config.payload());
        Edited edited = new Edited(UuidCreator.getTimeOrderedEpoch(), payload, bytes);
        ReplayResult result =
                operations.execute(on -> on.deadLetterChanges().replace(target, edited, allowReordering, by));
        return new EditedReplay(result, result == ReplayResult.REPLAYED ? edited.id() : null);
    }

    @Override
    public int replay(DeadLetterFilter filter, int atMost, boolean allowReordering, Attribution by) {
        requireMany(filter, atMost);
        Objects.requireNonNull(by, "by");
        return operations.execute(
                on -> on.deadLetterChanges().replay(filter, atMost, allowReordering, by, replayed -> {}));
    }

    @Override
    public boolean discard(UUID messageId, String handler, Attribution by) {
        requireChange(messageId, handler, by);
        return discard(Target.whichever(messageId, handler), by);
    }

    @Override
    public boolean discard(DeadLetter seen, Attribution by) {
        return discard(target(seen, by), by);
    }

    private boolean discard(Target target, Attribution by) {
        return operations.execute(on -> on.deadLetterChanges().discard(target, by, this::discarded));
    }

    @Override
    public int discard(DeadLetterFilter filter, int atMost, Attribution by) {
        requireMany(filter, atMost);
        Objects.requireNonNull(by, "by");
        return operations.execute(on -> on.deadLetterChanges().discard(filter, atMost, by, this::discarded));
    }

    private void discarded(DeadLetter letter) {
        meters.discarded(letter.handler());
    }

    // ---- handlers that are gone ----

    @Override
    public DropPreview previewDrop(Drop drop) {
        requireDrop(drop);
        return operations.execute(on -> on.handlerDrop().preview(drop));
    }

    @Override
    public DropResult dropDeliveries(Drop drop, int atMost, Attribution by) {
        requireDrop(drop);
        requireAtMost(atMost);
        Objects.requireNonNull(by, "by");
        return operations.execute(on -> on.handlerDrop().drop(drop, atMost, by));
    }

    // ---- many at once, in the background ----

    @Override
    public RetryPreview previewRetry(WaitingFilter filter) {
        BulkRequest request = BulkRequest.retry(filter);
        return operations.execute(on -> on.messages().previewRetry(request.waiting()));
    }

    @Override
    public BulkOperation start(BulkRequest request, Attribution by) {
        Objects.requireNonNull(request, "request");
        DeadLetterChanges.requirePeriod(request.filter());
        Objects.requireNonNull(by, "by");
        return operations.execute(on -> on.bulk().start(request, by));
    }

    @Override
    public Optional<BulkOperation> operation(UUID operationId) {
        Objects.requireNonNull(operationId, "operationId");
        return operations.execute(on -> on.bulk().find(operationId));
    }

    @Override
    public List<BulkOperation> operations() {
        return operations.execute(on -> on.bulk().list(MAX_OPERATIONS));
    }

    @Override
    public Optional<BulkOperation> cancel(UUID operationId, Attribution by) {
        Objects.requireNonNull(operationId, "operationId");
        Objects.requireNonNull(by, "by");
        return operations.execute(on -> on.bulk().cancel(operationId, by));
    }

    // ---- pauses ----

    @Override
    public boolean pause(PauseTarget target, Attribution by) {
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(by, "by");
        return operations.execute(on -> on.pauses().pause(target, by));
    }

    @Override
    public boolean resume(PauseTarget target, Attribution by) {
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(by, "by");
        return operations.execute(on -> on.pauses().resume(target, by));
    }

    @Override
    public boolean resume(Pause seen, Attribution by) {
        Objects.requireNonNull(seen, "seen");
        Objects.requireNonNull(by, "by");
        return operations.execute(on -> on.pauses().resume(seen, by));
    }

    @Override
    public List<Pause> pauses() {
        return List.copyOf(operations.execute(on -> on.pauses().inForce()));
    }

    // ---- audit ----

    @Override
    public AuditPage audit(String after, int limit) {
        requirePage(limit, MAX_PAGE);
        AuditPosition position = AuditPosition.of(after);
        return operations.execute(on -> on.audit().page(position, limit));
    }

    private static void requireChange(UUID messageId, String handler, Attribution by) {
        requireDelivery(messageId, handler);
        Objects.requireNonNull(by, "by");
    }

    private static Target target(DeadLetter seen, Attribution by) {
        Objects.requireNonNull(seen, "seen");
        requireChange(seen.messageId(), seen.handler(), by);
        Objects.requireNonNull(seen.diedAt(), "diedAt");
        return Target.only(seen);
    }
}
