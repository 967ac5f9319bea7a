package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.AggregateId;
import io.outboxed.EventType;
import io.outboxed.OutboxException;
import io.outboxed.PublishOptions;
import io.outboxed.internal.capture.json.JsonbPayloadCodec;
import io.outboxed.internal.capture.transaction.CallerTransaction;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.hibernate.OutboxRow;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.signal.CommitSignal;
import io.outboxed.internal.signal.HandlerRegistrar;
import io.outboxed.internal.signal.RegistryVersion;
import io.outboxed.internal.store.jdbc.caller.InboxEntry;
import io.outboxed.internal.tracing.Propagators;
import io.outboxed.internal.tracing.Tracing;
import io.outboxed.spi.PayloadCodec;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.assertj.core.api.AbstractThrowableAssert;

/** Capture without a server: a writer, its transaction, and what was written and signalled. */
final class CaptureFixture {

    @EventType("order.placed")
    public record Placed(@AggregateId String orderId, BigDecimal price) {}

    @EventType("tick")
    public record Tick(int n) {}

    final SmallTransaction transaction = new SmallTransaction();
    final List<OutboxRow> written = new ArrayList<>();
    final List<String> locked = new ArrayList<>();
    /** What the database does when an aggregate is locked. */
    Consumer<String> onLock = locked::add;
    /** The ids of events that the database can cancel. */
    final Set<UUID> cancellable = new HashSet<>();
    /** What the database does when an event is cancelled. */
    Runnable onCancel = () -> {};
    /** The clock of the database, in microseconds since 1970. */
    long databaseNow = 1_700_000_000_000_000L;
    /** What the database does before it inserts a row of the inbox. */
    Runnable onClaim = () -> {};

    final List<Set<Integer>> signalled = new ArrayList<>();
    final RegistryVersion registry = new RegistryVersion();
    final List<HandlerRegistrar> registrars = new ArrayList<>();
    /** The rows of the inbox, and the first call of each. Unlike a database's, they remain after a rollback. */
    final Map<String, UUID> firstCalls = new HashMap<>();

    /** What the handlers of a type observe. */
    final Map<String, Class<?>> observed = new HashMap<>();

    final OutboxBean outbox = new OutboxBean();

    CaptureFixture() {
        this(OutboxConfig.DEFAULTS.payload());
    }

    CaptureFixture(OutboxConfig.Payload payload) {
        this(payload, new JsonbPayloadCodec());
    }

    CaptureFixture(OutboxConfig.Payload payload, PayloadCodec codec) {
        this(payload, codec, Tracing.NONE, Propagators.none());
    }

    CaptureFixture(Tracing tracing, Propagators propagators) {
        this(OutboxConfig.DEFAULTS.payload(), new JsonbPayloadCodec(), tracing, propagators);
    }

    CaptureFixture(OutboxConfig config) {
        this(config, new JsonbPayloadCodec(), Tracing.NONE, Propagators.none());
    }

    private CaptureFixture(OutboxConfig.Payload payload, PayloadCodec codec, Tracing tracing, Propagators propagators) {
        this(OutboxConfig.DEFAULTS.withPayload(payload), codec, tracing, propagators);
    }

    private CaptureFixture(OutboxConfig config, PayloadCodec codec, Tracing tracing, Propagators propagators) {
        outbox.transaction = new CallerTransaction(transaction);
        outbox.factory = new RowFactory(
                new PayloadText(codec, config),
                registry,
                tracing,
                propagators,
                type -> Optional.ofNullable(observed.get(type)),
                config);
        outbox.registered = new RegistrationCheck(registry, registrars);
        outbox.inbox = new InboxRows();
        outbox.inbox.transaction = outbox.transaction;
        onWrite(written::addAll);
        outbox.signal = new CommitSignal();
        outbox.meters = OutboxMeters.none();
        outbox.signal.listen(signalled::add);
    }

    /** What the database does with rows. */
    void onWrite(Consumer<List<OutboxRow>> write) {
        CaptureStore store = new CaptureStore() {
            @Override
            public void write(List<OutboxRow> rows) {
                write.accept(rows);
            }

            @Override
            public void lock(String aggregateId) {
                onLock.accept(aggregateId);
            }

            @Override
            public UUID firstCall(String receiver, String messageId, UUID call) {
                onClaim.run();
                UUID first = firstCalls.putIfAbsent(receiver + " " + messageId, call);
                return first == null ? call : first;
            }

            @Override
            public List<InboxEntry> missing(List<InboxEntry> inserted) {
                return inserted.stream()
                        .filter(row -> !row.call().equals(firstCalls.get(row.receiver() + " " + row.messageId())))
                        .toList();
            }

            @Override
            public boolean isStored(UUID id) {
                return written.stream().anyMatch(row -> row.id().equals(id));
            }

            @Override
            public boolean cancel(UUID id) {
                onCancel.run();
                return cancellable.remove(id);
            }

            @Override
            public long now() {
                return databaseNow;
            }
        };
        outbox.store = store;
        outbox.inbox.store = store;
    }

    /** Publishes in a transaction of its own. */
    OutboxRow stored(Object event) {
        return stored(event, PublishOptions.none());
    }

    OutboxRow stored(Object event, PublishOptions options) {
        transaction.begin();
        outbox.publish(event, options);
        transaction.commit();
        return written.get(written.size() - 1);
    }

    /** Publishes in a transaction that is rolled back. */
    AbstractThrowableAssert<?, ? extends Throwable> refused(Object event, PublishOptions options, String code) {
        transaction.begin();
        try {
            return assertThatThrownBy(() -> outbox.publish(event, options))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageStartingWith(code + " ");
        } finally {
            transaction.rollback();
        }
    }
}
