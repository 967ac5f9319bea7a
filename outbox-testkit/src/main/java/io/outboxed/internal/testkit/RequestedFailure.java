package io.outboxed.internal.testkit;

/** The failure of a call that a test has asked to fail. */
final class RequestedFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RequestedFailure(String handler) {
        super("the test has requested that " + handler + " fails");
    }
}
