package io.outboxed.internal.capture;

import io.outboxed.EventType;
import io.outboxed.internal.capture.json.JsonbPayloadCodec;
import io.outboxed.internal.capture.transaction.CallerTransaction;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.log.SneakyThrow;
import io.outboxed.spi.PayloadCodec;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import java.io.IOException;

/** What the interceptors inject. Its users clear what is written. */
@Dependent
public class ProducedOutbox {
    static final CaptureFixture DOOR = new CaptureFixture(OutboxConfig.DEFAULTS.payload(), new Codec());

    @Produces
    OutboxBean outbox() {
        return DOOR.outbox;
    }

    @Produces
    CallerTransaction transaction() {
        return DOOR.outbox.transaction;
    }

    /** The codec throws a checked exception. */
    @EventType("order.unreadable")
    public record Unreadable() {}

    private static final class Codec implements PayloadCodec {
        private final PayloadCodec json = new JsonbPayloadCodec();

        @Override
        public String encode(Object event) {
            if (event instanceof Unreadable) {
                throw SneakyThrow.of(new IOException("no"));
            }
            return json.encode(event);
        }

        @Override
        public <T> T decode(String text, Class<T> type) {
            return json.decode(text, type);
        }
    }
}
