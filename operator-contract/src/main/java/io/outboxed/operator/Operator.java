package io.outboxed.operator;

import io.outboxed.DeadLetter;
import io.outboxed.admin.AuditEntry;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.FailureGroup;
import io.outboxed.admin.PauseTarget;
import io.outboxed.admin.RegisteredHandler;
import io.outboxed.admin.WaitingFilter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** What each way to the engine offers. Reading throws {@link IllegalArgumentException} if an argument is wrong. */
public interface Operator {
    /** As the audit names the operator. */
    String who();

    /** As the audit names the way. */
    String via();

    /** @param next null on the last page */
    record Page<T>(List<T> rows, String next) {}

    /** @param atLeast the counts that stopped */
    record Status(Map<String, Long> counts, long blockedAggregates, List<String> atLeast, List<Paused> pauses) {}

    record Paused(PauseTarget target, String who, String why) {}

    record Preview(long matched, long inPlace) {}

    record Waiting(
            UUID messageId,
            String type,
            String aggregateType,
            String aggregateId,
            String handler,
            int attempts,
            Instant dueAt,
            String error) {}

    /**
     * One event.
     *
     * @param messages their states
     * @param deliveries states by handler
     * @param dead the handlers of its dead letters
     */
    record Event(List<String> messages, Map<String, String> deliveries, List<String> dead) {}

    /** @param filter null for none: nothing is selected */
    record Bulk(
            BulkRequest.Kind kind, DeadLetterFilter filter, boolean allowReordering, int perSecond, String reason) {}

    /** @param type null for all types of the handler */
    record Drop(String handler, boolean retire, String type, int atMost, String reason) {}

    /** @param cause in lower case */
    record HeldUp(String cause, UUID messageId) {}

    record Progress(String state, long matched, long changed) {}

    record Listed(UUID id, Progress progress) {}

    // ---- reading ----

    Status status();

    List<RegisteredHandler> handlers();

    Page<DeadLetter> deadLetters(DeadLetterFilter filter, String after, int limit);

    List<FailureGroup> failures(DeadLetterFilter filter);

    Preview preview(DeadLetterFilter filter);

    Page<Waiting> waiting(WaitingFilter filter, String after, int limit);

    Optional<Event> event(String id);

    Page<AuditEntry> audit(String after, int limit);

    List<Listed> operations();

    // ---- changing ----

    Outcome retry(String id, String handler, String reason);

    /** Retries a delivery that waits, and says what it still waits for. */
    Optional<HeldUp> retryHeldUp(String id, String handler, String reason);

    Outcome replay(String id, String handler, boolean allowReordering, String reason);

    Outcome discard(String id, String handler, String reason);

    Outcome start(Bulk bulk);

    Optional<Progress> operation(String id);

    Outcome cancel(String id, String reason);

    /** {@link Outcome.WouldChange}, unless it is refused. */
    Outcome preview(Drop drop);

    Outcome drop(Drop drop);

    Outcome pause(PauseTarget.Kind kind, String name, String reason);

    Outcome resume(PauseTarget.Kind kind, String name, String reason);
}
