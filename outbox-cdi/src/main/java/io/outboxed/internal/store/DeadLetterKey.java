package io.outboxed.internal.store;

import io.outboxed.DeadLetter;
import io.outboxed.internal.database.EpochMicros;
import java.util.UUID;

/**
 * The position of a dead letter in the order of death.
 *
 * @param diedAtMicros microseconds since 1970 UTC, on the database's clock
 */
public record DeadLetterKey(long diedAtMicros, UUID messageId, String handler) {

    public static DeadLetterKey of(DeadLetter letter) {
        return new DeadLetterKey(EpochMicros.of(letter.diedAt()), letter.messageId(), letter.handler());
    }
}
