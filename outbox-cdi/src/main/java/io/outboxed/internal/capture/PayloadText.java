package io.outboxed.internal.capture;

import io.outboxed.OutboxException;
import io.outboxed.internal.capture.json.JsonText;
import io.outboxed.internal.capture.json.JsonbPayloadCodec;
import io.outboxed.internal.capture.json.PayloadCodecExtension;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.spi.PayloadCodec;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;

/** Encodes an event's payload for storage and checks it: its size, and that it is JSON if that is the format. */
@Dependent
class PayloadText {
    private final PayloadCodec codec;
    private final OutboxConfig config;
    /** What JSON-B has written need not be parsed. */
    private final boolean codecWritesJson;

    @Inject
    PayloadText(PayloadCodec codec, OutboxConfig config, PayloadCodecExtension extension) {
        this(codec, config, extension.isDefaultInUse());
    }

    PayloadText(PayloadCodec codec, OutboxConfig config) {
        this(codec, config, codec instanceof JsonbPayloadCodec);
    }

    private PayloadText(PayloadCodec codec, OutboxConfig config, boolean codecWritesJson) {
        this.codec = codec;
        this.config = config;
        this.codecWritesJson = codecWritesJson;
    }

    StoredPayload stored(Object event, String type) {
        if (event instanceof byte[] bytes) {
            return new StoredPayload(null, bytes.clone(), within(bytes.length, type));
        }
        String text = event instanceof String given ? given : encode(event, type);
        int size = within(StorableText.utf8Bytes(text, "the payload of " + type), type);
        if (mustBeChecked(event)) {
            JsonText.require(text, "the payload of " + type);
        }
        return config.payload().binary()
                ? new StoredPayload(null, text.getBytes(StandardCharsets.UTF_8), size)
                : new StoredPayload(text, null, size);
    }

    private boolean mustBeChecked(Object event) {
        return config.payload().validate()
                && !config.payload().binary()
                && (event instanceof String || !codecWritesJson);
    }

    private String encode(Object event, String type) {
        String text;
        try {
            text = codec.encode(event);
        } catch (Exception | StackOverflowError e) {
            throw new OutboxException(
                    "OUTBOX-0110",
                    event.getClass().getTypeName() + " (" + type + ") can't be serialised: the PayloadCodec threw "
                            + e.getClass().getName() + ", whose message names the property; nothing was stored."
                            + " JSON-B reads public classes only",
                    e);
        }
        if (text == null) {
            throw new OutboxException(
                    "OUTBOX-0110",
                    "the PayloadCodec encoded an event of type " + type + " to null; nothing was stored");
        }
        return text;
    }

    private int within(long bytes, String type) {
        int limit = config.payload().maxBytes();
        if (bytes > limit) {
            throw new OutboxException(
                    "OUTBOX-0112",
                    "the payload of " + type + " has " + bytes + " bytes, outbox.payload.max-bytes is " + limit
                            + ": publish a reference to large data, or raise the limit");
        }
        return (int) bytes;
    }
}
