package io.outboxed.rest.access;

import jakarta.enterprise.context.RequestScoped;

/** The request to which access was granted. */
@RequestScoped
public class CurrentRequest {
    private AdminOperation operation;
    private String user;

    void grant(AccessDecision.Granted granted) {
        operation = granted.operation();
        user = granted.user();
    }

    /** @return null if none was granted */
    AdminOperation operation() {
        return operation;
    }

    /** The container's name of the user. */
    public String user() {
        return user;
    }
}
