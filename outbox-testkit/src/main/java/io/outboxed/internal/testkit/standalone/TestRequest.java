package io.outboxed.internal.testkit.standalone;

import jakarta.enterprise.context.control.RequestContextController;

/** The request that a test is. In a server a test has one too, and who publishes there usually does. */
final class TestRequest {
    private final RequestContextController context;
    private boolean begun;

    TestRequest(RequestContextController context) {
        this.context = context;
    }

    /** To be called by the test's thread. The beans of the request before are destroyed. */
    void begin() {
        end();
        begun = context.activate();
    }

    void end() {
        if (begun) {
            begun = false;
            context.deactivate();
        }
    }
}
