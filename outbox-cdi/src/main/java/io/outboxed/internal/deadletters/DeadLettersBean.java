package io.outboxed.internal.deadletters;

import static io.outboxed.internal.operations.Arguments.requireDelivery;
import static io.outboxed.internal.operations.Arguments.requireFilter;
import static io.outboxed.internal.operations.Arguments.requireMany;
import static io.outboxed.internal.operations.Arguments.requirePage;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.ReplayResult;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.operations.OperationsTemplate;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.store.DeadLetterPosition;
import io.outboxed.internal.store.jdbc.DeadLetterStore.Target;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.util.Optional;
import java.util.UUID;

/** Suspends the caller's transaction: otherwise a connection from the server's pool would become part of it. */
@ApplicationScoped
@Transactional(TxType.NOT_SUPPORTED)
public class DeadLettersBean implements DeadLetters {
    private static final Attribution APPLICATION = Attribution.of("application", "");

    private final OperationsTemplate operations;
    private final OutboxMeters meters;

    @Inject
    DeadLettersBean(Instance<OutboxOperations> operations, OutboxMeters meters) {
        this.operations = new OperationsTemplate(() -> operations.get(), "OUTBOX-0443", "the dead letters");
        this.meters = meters;
    }

    /** Needed by the container's proxy. */
    DeadLettersBean() {
        this(null, null);
    }

    @Override
    public Page find(DeadLetterFilter filter, String after, int limit) {
        requireFilter(filter);
        requirePage(limit, MAX_PAGE);
        DeadLetterPosition position = DeadLetterPosition.of(after);
        return operations.execute(on -> on.deadLetters(filter, position, limit));
    }

    @Override
    public Optional<DeadLetter> get(UUID messageId, String handler) {
        requireDelivery(messageId, handler);
        return operations.execute(on -> on.deadLetters().get(messageId, handler));
    }

    @Override
    public long count(DeadLetterFilter filter) {
        requireFilter(filter);
        return operations.execute(on -> on.deadLetters().count(filter));
    }

    @Override
    public ReplayResult replay(UUID messageId, String handler, boolean allowReordering) {
        requireDelivery(messageId, handler);
        Target target = Target.whichever(messageId, handler);
        return operations.execute(on -> on.deadLetterChanges().replay(target, allowReordering, APPLICATION));
    }

    @Override
    public boolean discard(UUID messageId, String handler) {
        requireDelivery(messageId, handler);
        Target target = Target.whichever(messageId, handler);
        return operations.execute(on -> on.deadLetterChanges().discard(target, APPLICATION, this::discarded));
    }

    @Override
    public int replay(DeadLetterFilter filter, int atMost, boolean allowReordering) {
        requireMany(filter, atMost);
        return operations.execute(
                on -> on.deadLetterChanges().replay(filter, atMost, allowReordering, APPLICATION, replayed -> {}));
    }

    @Override
    public int discard(DeadLetterFilter filter, int atMost) {
        requireMany(filter, atMost);
        return operations.execute(on -> on.deadLetterChanges().discard(filter, atMost, APPLICATION, this::discarded));
    }

    private void discarded(DeadLetter letter) {
        meters.discarded(letter.handler());
    }
}
