package io.outboxed.kafka;

import io.outboxed.AnyEvent;
import io.outboxed.HandlerGroup;
import io.outboxed.HandlerName;
import io.outboxed.OutboxMessage;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.handlers.PipelinedHandler;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * The handler that forwards: a handler of any type, outside a transaction. It has succeeded when the broker has
 * confirmed the record. The relay begins the next event of an aggregate only then, so the records of a key are in order
 * whatever fails; the events of many aggregates are on their way together.
 */
@ApplicationScoped
@HandlerGroup(KafkaForwarder.NAME)
class KafkaForwarder implements PipelinedHandler {
    static final String NAME = "kafka";

    private final ForwardedRecords records;
    private final BrokerConnection connection;
    private final boolean relays;

    @Inject
    KafkaForwarder(OutboxConfig config) {
        this(
                KafkaSettingsReader.read(ConfigProvider.getConfig(), config),
                config.relay().enabled());
    }

    KafkaForwarder(KafkaSettings settings, boolean relays) {
        this.records = new ForwardedRecords(settings);
        this.connection = new BrokerConnection(settings);
        this.relays = relays;
    }

    /** Needed by the container's proxy. */
    KafkaForwarder() {
        this.records = null;
        this.connection = null;
        this.relays = false;
    }

    void checkBroker(@Observes @Initialized(ApplicationScoped.class) Object start) throws InterruptedException {
        if (relays) {
            connection.checkAtStart();
        }
    }

    @HandlerName(NAME)
    @Transactional(Transactional.TxType.NOT_SUPPORTED)
    void forward(@Observes @AnyEvent OutboxMessage message) {
        begin(message).call();
    }

    @Override
    public String handlerName() {
        return NAME;
    }

    @Override
    public PendingSend begin(OutboxMessage message) {
        Optional<ProducerRecord<byte[], byte[]>> record = records.of(message);
        return record.isPresent() ? connection.send(record.get()) : PendingSend.NOTHING;
    }

    @PreDestroy
    void close() {
        connection.close();
    }
}
