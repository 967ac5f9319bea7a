package io.outboxed.rest.problem;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;

/** Answers what the REST runtime refuses. */
public class RestErrors implements ExceptionMapper<WebApplicationException> {

    @Override
    public Response toResponse(WebApplicationException refused) {
        return problem(refused).response().build();
    }

    private static Problem problem(WebApplicationException refused) {
        int status = refused.getResponse().getStatus();
        return switch (status) {
            case 404 -> Problem.of(ProblemType.NOT_FOUND, "There is nothing at this address.");
            case 405 -> Problem.of(ProblemType.METHOD_NOT_ALLOWED, "This address does not support this method.");
            case 406 -> Problem.of(ProblemType.NOT_ACCEPTABLE, "All answers are application/json.");
            case 415 -> Problem.of(ProblemType.NOT_JSON, "Send the body as application/json; nothing was changed.");
            default ->
                status >= 500
                        ? AdminErrors.failed(refused)
                        : Problem.of(ProblemType.INVALID, "The request could not be understood; nothing was changed.");
        };
    }
}
