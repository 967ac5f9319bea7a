package io.outboxed.internal.health;

import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;

/** An answer as MicroProfile Health wants it. */
final class Response {

    private Response() {}

    static HealthCheckResponse of(String name, Answer answer) {
        HealthCheckResponseBuilder response = HealthCheckResponse.named(name).status(answer.up());
        answer.data().forEach(response::withData);
        return response.build();
    }
}
