package io.outboxed.kafka;

import io.outboxed.AnyEvent;
import io.outboxed.HandlerGroup;
import io.outboxed.HandlerName;
import io.outboxed.OutboxMessage;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.handlers.Forwarder;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.kafka.RecordSender.PendingSend;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * The handler that forwards: a handler of any type, outside a transaction. It has succeeded when the broker has
 * confirmed the record. The relay begins the next event of an aggregate only then, so the records of a key are in order
 * whatever fails; the events of many aggregates are on their way together.
 */
@ApplicationScoped
@HandlerGroup(KafkaForwarder.NAME)
class KafkaForwarder implements Forwarder {
    static final String NAME = "kafka";

    private static final Lease NO_LEASE = new Lease(0, "", 0);

    private final ForwardedRecords records;
    private final RecordSender sender;
    private final boolean relays;

    @Inject
    KafkaForwarder(OutboxConfig config) {
        this(
                KafkaSettingsReader.read(ConfigProvider.getConfig(), config),
                config.relay().enabled());
    }

    KafkaForwarder(KafkaSettings settings, boolean relays) {
        this.records = new ForwardedRecords(settings);
        this.sender = settings.strict() ? new StrictSender(settings) : new BrokerConnection(settings);
        this.relays = relays;
    }

    /** Needed by the container's proxy. */
    KafkaForwarder() {
        this.records = null;
        this.sender = null;
        this.relays = false;
    }

    void checkBroker(@Observes @Initialized(ApplicationScoped.class) Object start) throws InterruptedException {
        if (relays) {
            sender.checkAtStart();
        }
    }

    /** The relay calls {@link #begin} instead; the test kit has no leases. */
    @HandlerName(NAME)
    @Transactional(Transactional.TxType.NOT_SUPPORTED)
    void forward(@Observes @AnyEvent OutboxMessage message) {
        begin(message, NO_LEASE, lease -> true).call();
    }

    @Override
    public String handlerName() {
        return NAME;
    }

    @Override
    public PendingSend begin(OutboxMessage message, Lease lease, Predicate<Lease> isValid) {
        Optional<ProducerRecord<byte[], byte[]>> record = records.of(message);
        return record.isPresent() ? sender.send(record.get(), lease, isValid) : PendingSend.NOTHING;
    }

    @PreDestroy
    void close() {
        sender.close();
    }
}
