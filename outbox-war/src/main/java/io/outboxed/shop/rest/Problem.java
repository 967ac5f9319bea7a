package io.outboxed.shop.rest;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObjectBuilder;
import jakarta.ws.rs.core.Response;
import java.util.List;

/** An error response in the format of RFC 9457. */
final class Problem {

    static final String MEDIA_TYPE = "application/problem+json";

    private Problem() {}

    static Response of(int status, String title, String detail) {
        return of(status, title, detail, List.of());
    }

    static Response of(int status, String title, String detail, List<OrderForm.BadField> fields) {
        return Response.status(status)
                .type(MEDIA_TYPE)
                .entity(json(status, title, detail, fields))
                .build();
    }

    static String json(int status, String title, String detail) {
        return json(status, title, detail, List.of());
    }

    private static String json(int status, String title, String detail, List<OrderForm.BadField> fields) {
        JsonObjectBuilder json = Json.createObjectBuilder()
                .add("type", "about:blank")
                .add("title", title)
                .add("status", status)
                .add("detail", detail);
        if (!fields.isEmpty()) {
            json.add("errors", list(fields));
        }
        return json.build().toString();
    }

    private static JsonArrayBuilder list(List<OrderForm.BadField> fields) {
        JsonArrayBuilder list = Json.createArrayBuilder();
        fields.forEach(bad ->
                list.add(Json.createObjectBuilder().add("field", bad.field()).add("problem", bad.problem())));
        return list;
    }
}
