package io.outboxed.internal.handlers.invocation;

import io.outboxed.EventBatch;
import io.outboxed.OutboxMessage;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.store.MessageBody;
import io.outboxed.spi.PayloadCodec;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import jakarta.json.spi.JsonProvider;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts a stored message to what its handler observes. */
@Dependent
public class Messages {
    /** Cached, because each call of {@code Json} searches for the provider. */
    private static final JsonProvider JSON = JsonProvider.provider();

    /** A chain of causes may be a circle. */
    private static final int DEEPEST_CAUSE = 64;

    private final PayloadCodec codec;

    @Inject
    Messages(PayloadCodec codec) {
        this.codec = codec;
    }

    public OutboxMessage message(Delivery delivery) {
        MessageBody body = delivery.body();
        return new OutboxMessage(
                body.id(),
                delivery.head().type(),
                textOf(body.aggregateType()),
                textOf(body.aggregateId()),
                delivery.attempt(),
                body.createdAt(),
                headers(delivery),
                body.text(),
                body.bytes());
    }

    /** @throws UnreadableMessageException if one of them can't be decoded */
    EventBatch<Object> batch(Handler handler, OutboxMessage first, List<Delivery> behind) {
        List<OutboxMessage> all = new ArrayList<>(behind.size() + 1);
        all.add(first);
        behind.forEach(delivery -> all.add(message(delivery)));
        return new EventBatch<>(
                all.stream().map(message -> event(handler, message)).toList(), all);
    }

    /** @throws UnreadableMessageException if the payload can't be decoded to the handler's class */
    Object event(Handler handler, OutboxMessage message) {
        if (handler.raw()) {
            return message;
        }
        String text = message.text() != null ? message.text() : textOf(handler, message);
        Object event;
        try {
            event = codec.decode(text, handler.event());
        } catch (Exception | Error e) {
            rethrowJvmError(e);
            throw unreadable(handler, message, "the codec threw " + e.getClass().getName(), e);
        }
        if (event == null) {
            throw unreadable(handler, message, "the codec returned null", null);
        }
        return event;
    }

    private static String textOf(Handler handler, OutboxMessage message) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(message.bytes()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw unreadable(handler, message, "its bytes are not UTF-8", e);
        }
    }

    /** A JVM that is out of memory says nothing about the payload. A stack overflow does: it is nested too deeply. */
    private static void rethrowJvmError(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; depth < DEEPEST_CAUSE && cause != null; depth++, cause = cause.getCause()) {
            if (cause instanceof VirtualMachineError error && !(cause instanceof StackOverflowError)) {
                throw error;
            }
        }
    }

    private static UnreadableMessageException unreadable(
            Handler handler, OutboxMessage message, String why, Throwable cause) {
        return new UnreadableMessageException(
                "message " + message.id() + " of type " + message.type() + " can't be read as "
                        + handler.event().getName() + " for " + handler.key().handler() + ": " + why
                        + "; it becomes a dead letter. Make the class compatible with the stored payload, then replay"
                        + " it",
                cause);
    }

    private static Map<String, String> headers(Delivery delivery) {
        String headers = delivery.body().headers();
        if (headers == null || headers.isBlank()) {
            return Map.of();
        }
        Map<String, String> map = new LinkedHashMap<>();
        try (JsonReader reader = JSON.createReader(new StringReader(headers))) {
            reader.readObject().forEach((name, value) -> map.put(name, ((JsonString) value).getString()));
        } catch (RuntimeException e) {
            throw new UnreadableMessageException(
                    "the headers of message " + delivery.head().id() + " are not a JSON object with string values: "
                            + e.getClass().getName() + "; it becomes a dead letter",
                    e);
        }
        return Map.copyOf(map);
    }

    private static String textOf(String value) {
        return value == null ? "" : value;
    }
}
