package org.example.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboxed.AnyEvent;
import io.outboxed.HandlerName;
import io.outboxed.OutboxMessage;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Emitter;

/** Sends each event to the channel. It has succeeded when the broker has confirmed it. */
@ApplicationScoped
public class EventsChannel {
    static final String NAME = "events-channel";

    @Inject
    @Channel("events")
    Emitter<ProducerRecord<String, byte[]>> channel;

    @HandlerName(NAME)
    @Transactional(TxType.NOT_SUPPORTED)
    void forward(@Observes @AnyEvent OutboxMessage message) throws Exception {
        String key = message.aggregateId().isEmpty() ? null : message.aggregateId();
        byte[] payload =
                message.text() == null ? message.bytes() : message.text().getBytes(UTF_8);
        var event = new ProducerRecord<>("events." + message.aggregateType(), key, payload);
        message.headers().forEach((name, value) -> event.headers().add(name, value.getBytes(UTF_8)));
        event.headers().add("id", message.id().toString().getBytes(UTF_8));
        event.headers().add("type", message.type().getBytes(UTF_8));
        channel.send(event).toCompletableFuture().get(20, TimeUnit.SECONDS); // until the broker has confirmed it
    }
}
