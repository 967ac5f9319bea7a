package io.outboxed.it.any;

/** What the application's classifier defers. */
class NotNow extends RuntimeException {
    private static final long serialVersionUID = 1L;
}
