package io.outboxed.it.publish;

import io.outboxed.EventType;
import io.outboxed.OutboxMessage;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** What handlers of each kind have received, in memory: no rollback undoes it. */
@ApplicationScoped
public class Receipts {

    /** @param event the decoded one; null for an observer of the message */
    public record Receipt(String handler, Object event, OutboxMessage message, Instant at) {}

    private final List<Receipt> all = new CopyOnWriteArrayList<>();

    void transactional(@Observes Later event, OutboxMessage message) {
        add("transactional", event, message);
    }

    @Transactional(TxType.NOT_SUPPORTED)
    void outside(@Observes Later event, OutboxMessage message) {
        add("outside", event, message);
    }

    void raw(@Observes @EventType("it.later") OutboxMessage message) {
        add("raw", null, message);
    }

    void bytes(@Observes @EventType("it.bytes") OutboxMessage message) {
        add("bytes", null, message);
    }

    private void add(String handler, Object event, OutboxMessage message) {
        all.add(new Receipt(handler, event, message, Instant.now()));
    }

    public List<Receipt> of(Later event) {
        return all.stream().filter(each -> event.equals(each.event())).toList();
    }

    public List<Receipt> of(UUID message) {
        return all.stream().filter(each -> each.message().id().equals(message)).toList();
    }
}
