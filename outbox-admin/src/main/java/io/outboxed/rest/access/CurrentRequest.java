package io.outboxed.rest.access;

import jakarta.enterprise.context.RequestScoped;

/** The request that was admitted. */
@RequestScoped
public class CurrentRequest {
    private AdminOperation operation;
    private String user;

    void grant(AccessDecision.Granted admitted) {
        operation = admitted.operation();
        user = admitted.user();
    }

    /** @return null if none was admitted */
    AdminOperation operation() {
        return operation;
    }

    /** The container's name of the user. */
    public String user() {
        return user;
    }
}
