package io.outboxed.internal.deadletters;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.OutboxException;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.ReplayResult;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.operations.DeadLetterChanges;
import io.outboxed.internal.operations.DeadLetterPosition;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.store.DeadLetterKey;
import io.outboxed.internal.store.HandlerName;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Suspends the caller's transaction: otherwise a connection from the server's pool would become part of it. */
@ApplicationScoped
@Transactional(TxType.NOT_SUPPORTED)
public class StoredDeadLetters implements DeadLetters {
    private static final Attribution APPLICATION = Attribution.of("application", "");

    private final Instance<OutboxOperations> operations;
    private final OutboxMeters meters;
    private volatile OutboxOperations cached;

    @Inject
    StoredDeadLetters(Instance<OutboxOperations> operations, OutboxMeters meters) {
        this.operations = operations;
        this.meters = meters;
    }

    /** Needed by the container's proxy. */
    StoredDeadLetters() {
        this(null, null);
    }

    @Override
    public Page find(DeadLetterFilter filter, String after, int limit) {
        requireFilter(filter);
        if (limit < 1 || limit > MAX_PAGE) {
            throw new IllegalArgumentException("limit is " + limit + ", expected 1 to " + MAX_PAGE);
        }
        DeadLetterKey key = DeadLetterPosition.of(after);
        List<DeadLetter> found = asked(on -> on.deadLetters().find(filter, key, limit + 1));
        return found.size() <= limit ? new Page(found, null) : page(found.subList(0, limit));
    }

    private static Page page(List<DeadLetter> letters) {
        return new Page(letters, DeadLetterPosition.text(DeadLetterKey.of(letters.get(letters.size() - 1))));
    }

    @Override
    public Optional<DeadLetter> get(UUID messageId, String handler) {
        requireKey(messageId, handler);
        return asked(on -> on.deadLetters().get(messageId, handler));
    }

    @Override
    public long count(DeadLetterFilter filter) {
        requireFilter(filter);
        return asked(on -> on.deadLetters().count(filter));
    }

    @Override
    public boolean replay(UUID messageId, String handler) {
        requireKey(messageId, handler);
        return asked(on -> on.deadLetterChanges().replay(messageId, handler, true, APPLICATION))
                == ReplayResult.REPLAYED;
    }

    @Override
    public boolean discard(UUID messageId, String handler) {
        requireKey(messageId, handler);
        return asked(on -> on.deadLetterChanges().discard(messageId, handler, APPLICATION, this::discarded));
    }

    @Override
    public int replay(DeadLetterFilter filter, int atMost) {
        requireMany(filter, atMost);
        return asked(on -> on.deadLetterChanges().replay(filter, atMost, true, APPLICATION, replayed -> {}));
    }

    @Override
    public int discard(DeadLetterFilter filter, int atMost) {
        requireMany(filter, atMost);
        return asked(on -> on.deadLetterChanges().discard(filter, atMost, APPLICATION, this::discarded));
    }

    private void discarded(DeadLetter letter) {
        meters.discarded(letter.handler());
    }

    private static void requireKey(UUID messageId, String handler) {
        Objects.requireNonNull(messageId, "messageId");
        Objects.requireNonNull(handler, "handler");
        HandlerName.require(handler);
    }

    private static void requireFilter(DeadLetterFilter filter) {
        Objects.requireNonNull(filter, "filter");
        DeadLetterChanges.requirePeriod(filter);
    }

    private static void requireMany(DeadLetterFilter filter, int atMost) {
        requireFilter(filter);
        if (atMost < 1) {
            throw new IllegalArgumentException("atMost is " + atMost + ", expected 1 or more");
        }
    }

    private <T> T asked(Function<OutboxOperations, T> question) {
        OutboxOperations on = operations();
        try {
            return question.apply(on);
        } catch (StoreException e) {
            throw new OutboxException(
                    "OUTBOX-0443",
                    "the dead letters could not be read or changed: " + e.getMessage()
                            + ". Changes already made remain; "
                            + (e.isTransient() ? "call again" : "the cause says why"),
                    e);
        }
    }

    /** Cached, because each {@code get} creates a dependent object. */
    private OutboxOperations operations() {
        if (cached == null) {
            cached = operations.get();
        }
        return cached;
    }
}
