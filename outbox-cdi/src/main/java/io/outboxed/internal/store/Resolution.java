package io.outboxed.internal.store;

/**
 * What follows for one handler's delivery of a message that failed or has to wait. The store sanitises the error texts.
 */
public sealed interface Resolution {
    /** The error of a delivery that was not called. The test kit waits for such deliveries: no test has caused them. */
    String ALL_WORKERS_BUSY = "all workers of the handler were busy";

    String handler();

    /** The handler's group, within which the store keeps the order. */
    String group();

    int attempts();

    String error();

    /** Waits in its lane and is due after the delay, on the database's clock. */
    record Retry(String handler, String group, int attempts, String error, long delayMicros) implements Resolution {}

    /** A dead letter; the group continues with the next event of the aggregate. */
    record Dead(String handler, String group, int attempts, String error) implements Resolution {}

    /** A dead letter; the delivery remains, and the group waits for an operator in this lane. */
    record Blocked(String handler, String group, int attempts, String error) implements Resolution {}
}
