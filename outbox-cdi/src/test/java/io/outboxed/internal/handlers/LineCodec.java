package io.outboxed.internal.handlers;

import io.outboxed.spi.PayloadCodec;
import jakarta.enterprise.context.ApplicationScoped;

/** An event is a record of one text. */
@ApplicationScoped
class LineCodec implements PayloadCodec {

    @Override
    public String encode(Object event) {
        return event.toString();
    }

    @Override
    public <T> T decode(String text, Class<T> type) {
        try {
            return type.getDeclaredConstructor(String.class).newInstance(text);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(e.getCause());
        }
    }
}
