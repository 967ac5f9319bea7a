package io.outboxed.testkit;

import java.util.UUID;

/**
 * One call of one handler, as it ended.
 *
 * @param messageId the event's public id, never null
 * @param type the event's type, never null
 * @param aggregateId the aggregate's identity, empty if the event has none
 * @param handler the handler's name, for example {@code Mailer.confirm}
 * @param attempt the number of the attempt, from 1; calls after a crash, or whose commit failed, may repeat a number
 * @param failure what the handler threw, or what kept its transaction from being committed; null if it succeeded
 */
public record HandlerCall(
        UUID messageId, String type, String aggregateId, String handler, int attempt, Throwable failure) {

    /**
     * Whether the handler succeeded.
     *
     * @return true if there was no failure
     */
    public boolean succeeded() {
        return failure == null;
    }
}
