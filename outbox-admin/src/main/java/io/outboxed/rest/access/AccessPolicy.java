package io.outboxed.rest.access;

import io.outboxed.internal.config.OutboxConfig.Admin;
import io.outboxed.internal.config.OutboxConfig.Payload;
import io.outboxed.rest.input.JsonInput;
import io.outboxed.rest.problem.Problem;
import io.outboxed.rest.problem.ProblemType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Decides about each request, in our own code: servers differ in what they enforce. */
final class AccessPolicy {

    private final Admin config;
    private final Payload payload;

    AccessPolicy(Admin config, Payload payload) {
        this.config = config;
        this.payload = payload;
    }

    /** An unknown user learns nothing, not even which paths exist. */
    AccessDecision decide(RequestFacts request) {
        if (!config.enabled()) {
            return new AccessDecision.Disabled();
        }
        if (request.user().isEmpty()) {
            return new AccessDecision.Denied(
                    Problem.of(ProblemType.UNAUTHENTICATED, "Log in with a user of this application."),
                    Map.of("WWW-Authenticate", config.challenge()));
        }
        List<AdminOperation> ofPath = AdminOperation.at(request.path());
        if (ofPath.isEmpty()) {
            return new AccessDecision.Denied(Problem.of(ProblemType.NOT_FOUND, "There is nothing at this address."));
        }
        return AdminOperation.of(ofPath, request.method())
                .map(operation -> decide(operation, request))
                .orElseGet(() -> methodNotAllowed(ofPath));
    }

    private AccessDecision decide(AdminOperation operation, RequestFacts request) {
        if (!operation.role().isHeld(config.roles(), request.isUserInRole())) {
            return new AccessDecision.Denied(Problem.of(
                    ProblemType.FORBIDDEN,
                    "This needs the role " + operation.role().in(config.roles()) + "; nothing was changed."));
        }
        if (operation == AdminOperation.EDIT && !config.edit()) {
            return new AccessDecision.Denied(
                    Problem.of(ProblemType.FORBIDDEN, "outbox.admin.edit is false; nothing was changed."));
        }
        if (operation.isClosedToOtherSites() && Origin.isAnotherSite(request.header())) {
            return new AccessDecision.Denied(Problem.of(
                    ProblemType.OTHER_SITE,
                    "Pages of other sites may neither change anything nor read the content of events; nothing was"
                            + " changed."));
        }
        Optional<Problem> problem = operation.takesBody() ? problemOfBody(operation, request) : Optional.empty();
        return problem.<AccessDecision>map(AccessDecision.Denied::new)
                .orElseGet(() ->
                        new AccessDecision.Granted(operation, request.user().orElseThrow()));
    }

    private Optional<Problem> problemOfBody(AdminOperation operation, RequestFacts request) {
        if (!isJson(request.header().apply("Content-Type"))) {
            return Optional.of(
                    Problem.of(ProblemType.NOT_JSON, "Send the body as application/json; nothing was changed."));
        }
        int mostBytes = operation == AdminOperation.EDIT ? JsonInput.mostBytes(payload) : JsonInput.MAX_BYTES;
        if (isTooLong(request.header().apply("Content-Length"), mostBytes)) {
            return Optional.of(Problem.tooLarge(mostBytes));
        }
        if (!operation.hasVersion() && request.header().apply("If-Match") != null) {
            return Optional.of(Problem.of(
                    ProblemType.INVALID,
                    "This address has no version to compare with If-Match: leave it out; nothing was changed."));
        }
        return problemOfQuery(request.query());
    }

    private static Optional<Problem> problemOfQuery(Supplier<String> query) {
        try {
            String sent = query.get();
            return sent == null || sent.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Problem.of(
                            ProblemType.INVALID,
                            "This address has no parameters: send them in the body. Parameters in it are not read;"
                                    + " nothing was changed."));
        } catch (IllegalArgumentException e) {
            return Optional.of(Problem.illegalAddress());
        }
    }

    /** No form can send this type, and a script of another site has to ask the server first, which never agrees. */
    private static boolean isJson(String contentType) {
        return contentType != null && contentType.split(";", 2)[0].strip().equalsIgnoreCase("application/json");
    }

    /** The runtimes' own getLength fails if it does not fit into an int. Without it, the body is counted when read. */
    private static boolean isTooLong(String contentLength, int mostBytes) {
        try {
            return contentLength != null && Long.parseLong(contentLength) > mostBytes;
        } catch (NumberFormatException e) {
            return true;
        }
    }

    private static AccessDecision methodNotAllowed(List<AdminOperation> ofPath) {
        String allowed = ofPath.stream()
                .map(AdminOperation::method)
                .flatMap(method -> method.equals("GET") ? Stream.of("GET", "HEAD") : Stream.of(method))
                .distinct()
                .collect(Collectors.joining(", "));
        return new AccessDecision.Denied(
                Problem.of(ProblemType.METHOD_NOT_ALLOWED, "This address supports " + allowed + "."),
                Map.of("Allow", allowed));
    }
}
