package io.outboxed.rest.access;

import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * What access depends on.
 *
 * @param path as it was sent, below the application path, without a slash in front
 * @param query as it was sent, or null; throws IllegalArgumentException if the address is not a legal URI
 * @param header a request header by its name, or null
 * @param user the container's name of the user, if there is one
 * @param isUserInRole asks the container
 */
record RequestFacts(
        String method,
        String path,
        Supplier<String> query,
        UnaryOperator<String> header,
        Optional<String> user,
        Predicate<String> isUserInRole) {}
