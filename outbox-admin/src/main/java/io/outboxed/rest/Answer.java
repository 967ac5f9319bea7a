package io.outboxed.rest;

import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import jakarta.json.bind.JsonbConfig;
import jakarta.json.bind.config.BinaryDataStrategy;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/** Writes answers as JSON, by one library on all servers; each field is there, if need be as null. */
final class Answer {
    private static final Jsonb JSON = JsonbBuilder.create(new JsonbConfig()
            .withNullValues(true)
            .withBinaryDataStrategy(BinaryDataStrategy.BASE_64)
            .withPropertyVisibilityStrategy(new ComponentsOnly()));

    private Answer() {}

    static Response of(Object value) {
        return builder(value).build();
    }

    static Response of(Object value, ETag version) {
        return builder(value).header("ETag", version.tag()).build();
    }

    private static Response.ResponseBuilder builder(Object value) {
        return Response.ok(json(value), MediaType.APPLICATION_JSON_TYPE);
    }

    static String json(Object value) {
        return JSON.toJson(value);
    }

    /** @param changed how many dead letters, deliveries or pauses */
    public record Changed(int changed) {}
}
