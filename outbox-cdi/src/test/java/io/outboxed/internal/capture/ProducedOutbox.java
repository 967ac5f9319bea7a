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

/** What the interceptors inject: the outbox of the test that runs. */
@Dependent
public class ProducedOutbox {
    private static CaptureFixture door;

    /** A new one for each test, so that none sees what another has left, whatever the order of the classes. */
    static CaptureFixture renew() {
        door = new CaptureFixture(OutboxConfig.DEFAULTS.payload(), new Codec());
        return door;
    }

    /** For beans, whose tests cannot hand it to them. */
    static CaptureFixture current() {
        return door;
    }

    @Produces
    OutboxBean outbox() {
        return door.outbox;
    }

    @Produces
    CallerTransaction transaction() {
        return door.outbox.transaction;
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
