package io.outboxed.internal.store;

/** What becomes of one handler's failed, refused or postponed delivery of a message. Errors are cleaned by the store. */
public sealed interface Resolution {
    String handler();

    /** The handler's group, by which the store keeps the order. */
    String group();

    int attempts();

    String error();

    /** Waits in its lane and is due after the delay, on the database's clock. */
    record Retry(String handler, String group, int attempts, String error, long delayMicros) implements Resolution {}

    /** A dead letter; the group's lane goes on. */
    record Dead(String handler, String group, int attempts, String error) implements Resolution {}

    /** A dead letter; the delivery stays and its group's lane waits for an operator. */
    record Blocked(String handler, String group, int attempts, String error) implements Resolution {}
}
