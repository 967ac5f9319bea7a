package io.outboxed.internal.handlers;

import io.outboxed.internal.log.SneakyThrow;
import io.outboxed.spi.PayloadCodec;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;

/** An event is a record of one text. */
@ApplicationScoped
class LineCodec implements PayloadCodec {
    /** Reading it throws a checked exception. */
    static final String CHECKED = "checked";

    @Override
    public String encode(Object event) {
        return event.toString();
    }

    @Override
    public <T> T decode(String text, Class<T> type) {
        if (text.equals(CHECKED)) {
            throw SneakyThrow.of(new IOException("in a test"));
        }
        try {
            return type.getDeclaredConstructor(String.class).newInstance(text);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(e.getCause());
        }
    }
}
