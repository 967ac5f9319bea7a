package io.outboxed.shop.rest;

import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;

/** Answers an invalid order with a 400 that names each field. */
public class BadOrderErrors implements ExceptionMapper<BadOrderException> {

    @Override
    public Response toResponse(BadOrderException bad) {
        return Problem.of(400, "Not an order", bad.getMessage(), bad.fields());
    }
}
