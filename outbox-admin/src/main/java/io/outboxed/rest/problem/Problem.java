package io.outboxed.rest.problem;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObjectBuilder;
import jakarta.ws.rs.core.Response;
import java.util.List;

/**
 * An error response in the format of RFC 9457.
 *
 * @param fields what is wrong with single parameters or fields
 */
public record Problem(ProblemType type, String detail, List<Field> fields) {

    /** One parameter or field and what is wrong with it. */
    public record Field(String field, String problem) {}

    public static Problem of(ProblemType type, String detail) {
        return new Problem(type, detail, List.of());
    }

    public static Problem tooLarge(int most) {
        return of(ProblemType.TOO_LARGE, "The body is longer than " + most + " bytes; nothing was changed.");
    }

    public static Problem illegalAddress() {
        return of(
                ProblemType.INVALID,
                "The address is not a legal URI, or its parameters are not encoded as UTF-8 with %; nothing was"
                        + " changed.");
    }

    public Response.ResponseBuilder response() {
        return Response.status(type.status()).type("application/problem+json").entity(json());
    }

    String json() {
        JsonObjectBuilder json = Json.createObjectBuilder()
                .add("type", type.uri())
                .add("title", type.title())
                .add("status", type.status())
                .add("detail", detail);
        if (!fields.isEmpty()) {
            JsonArrayBuilder errors = Json.createArrayBuilder();
            fields.forEach(each -> errors.add(
                    Json.createObjectBuilder().add("field", each.field()).add("problem", each.problem())));
            json.add("errors", errors);
        }
        return json.build().toString();
    }
}
