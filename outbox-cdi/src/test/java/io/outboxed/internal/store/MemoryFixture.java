package io.outboxed.internal.store;

import io.outboxed.DeadLetter;
import io.outboxed.internal.database.ErrorText;
import io.outboxed.internal.database.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** A fixture over the store in memory, whose clock stands still. */
final class MemoryFixture implements StoreFixture {
    private static final long NOW = 1_000_000_000L;

    private final MemoryStore store = new MemoryStore(() -> NOW);

    @Override
    public RelayStore store() {
        return store.ports();
    }

    @Override
    public Delivery begin() {
        return new MemoryDelivery(store.begin());
    }

    @Override
    public MessageHead publish(Draft draft) {
        return store.insert(draft.id(), draft.type(), draft.lane(), 0, draft.delayMicros(), draft.payload());
    }

    @Override
    public List<DeadLetter> deadLetters() {
        return store.deadLetters().entrySet().stream()
                .map(each -> new DeadLetter(
                        each.getKey().message(),
                        each.getValue().row().first.type(),
                        "",
                        "",
                        each.getKey().handler(),
                        each.getValue().group(),
                        each.getValue().attempts(),
                        ErrorText.clean(each.getValue().error(), ErrorText.DEAD_LETTER_LIMIT),
                        Instant.EPOCH,
                        Instant.EPOCH,
                        store.isBlocked(each.getKey())))
                .toList();
    }

    @Override
    public boolean replay(UUID message, String handler) {
        return store.replay(message, handler);
    }

    @Override
    public int deliveryRows() {
        return store.deliveryRows();
    }

    @Override
    public int messageRows() {
        return store.messages();
    }

    private record MemoryDelivery(MemoryTransaction transaction) implements Delivery {
        @Override
        public void claim(MessageHead head) {
            try {
                transaction.claim(head);
            } catch (MemoryTransaction.BusyException e) {
                throw new StoreException("held", true, e);
            }
        }

        @Override
        public void acknowledge(MessageHead head, String handler, AckMode ackMode) {
            transaction.acknowledge(head, handler, ackMode);
        }

        @Override
        public void commit() {
            transaction.commit();
        }

        @Override
        public void rollback() {
            transaction.rollback();
        }

        @Override
        public void close() {
            transaction.rollback();
        }
    }
}
