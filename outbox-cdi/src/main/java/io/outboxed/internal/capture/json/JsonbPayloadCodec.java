package io.outboxed.internal.capture.json;

import io.outboxed.spi.PayloadCodec;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;

/**
 * The default codec: the server's JSON-B with its defaults, so that an event has the same JSON as in a REST resource.
 * Numbers keep all their digits, nulls are omitted. Classes and records must be public; records need no annotation
 * unless they have a second constructor.
 */
public final class JsonbPayloadCodec implements PayloadCodec {
    private final Jsonb jsonb = JsonbBuilder.create();

    @Override
    public String encode(Object event) {
        return jsonb.toJson(event);
    }

    @Override
    public <T> T decode(String text, Class<T> type) {
        return jsonb.fromJson(text, type);
    }
}
