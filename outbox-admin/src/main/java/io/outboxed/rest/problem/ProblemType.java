package io.outboxed.rest.problem;

import java.util.Locale;

/** The kinds of errors. Their URIs never change; docs/admin-api.md lists them. */
public enum ProblemType {
    UNAUTHENTICATED(401, "Unauthenticated"),
    FORBIDDEN(403, "Forbidden"),
    OTHER_SITE(403, "Request from another site"),
    NOT_FOUND(404, "Not found"),
    METHOD_NOT_ALLOWED(405, "Method not allowed"),
    NOT_ACCEPTABLE(406, "Not acceptable"),
    NOT_JSON(415, "Not JSON"),
    TOO_LARGE(413, "Too large"),
    INVALID(400, "Invalid request"),
    UNKNOWN_MESSAGE(404, "Unknown message"),
    UNKNOWN_OPERATION(404, "Unknown operation"),
    NOTHING_TO_CHANGE(409, "Nothing to change"),
    WOULD_REORDER(409, "Would reorder events"),
    OPERATION_RUNNING(409, "Operation running"),
    HANDLER_IN_USE(409, "Handler in use"),
    CHANGED(412, "Changed meanwhile"),
    VERSION_REQUIRED(428, "Version required"),
    DATABASE_UNAVAILABLE(503, "Database unavailable"),
    FAILED(500, "Failed");

    private final int status;
    private final String title;

    ProblemType(int status, String title) {
        this.status = status;
        this.title = title;
    }

    public int status() {
        return status;
    }

    public String title() {
        return title;
    }

    public String uri() {
        return "urn:outboxed:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
