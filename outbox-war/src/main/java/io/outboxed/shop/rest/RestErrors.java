package io.outboxed.shop.rest;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;

/** Answers what the REST runtime rejects (path, method, media type) with a problem as well. */
public class RestErrors implements ExceptionMapper<WebApplicationException> {

    @Override
    public Response toResponse(WebApplicationException refused) {
        Response answer = refused.getResponse();
        Response problem =
                Problem.of(answer.getStatus(), answer.getStatusInfo().getReasonPhrase(), detail(answer.getStatus()));
        Object allowed = answer.getHeaders().getFirst(HttpHeaders.ALLOW);
        return allowed == null
                ? problem
                : Response.fromResponse(problem)
                        .header(HttpHeaders.ALLOW, allowed)
                        .build();
    }

    private static String detail(int status) {
        return switch (status) {
            case 404 -> "There is nothing at this address.";
            case 405 -> "This address does not support this method.";
            case 406 -> "The shop responds with application/json only.";
            case 413 -> "The body is longer than " + OrderForm.MAX_BYTES + " bytes; nothing was ordered.";
            case 415 -> "Send an order as application/json; nothing was ordered.";
            default -> "The request could not be understood.";
        };
    }
}
