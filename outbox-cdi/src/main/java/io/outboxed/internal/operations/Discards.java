package io.outboxed.internal.operations;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters.Filter;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.store.jdbc.DeadLetterStore;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** Discards dead letters and logs each one, because nothing else remains of it. */
public final class Discards {
    private final DeadLetterStore letters;
    private final Consumer<DeadLetter> discarded;

    /** @param discarded gets each one after its commit; if it throws, the rest is left alone */
    public Discards(DeadLetterStore letters, Consumer<DeadLetter> discarded) {
        this.letters = letters;
        this.discarded = discarded;
    }

    /** @return false if there is no such dead letter */
    public boolean discard(UUID messageId, String handler) {
        Optional<DeadLetter> letter = letters.get(messageId, handler);
        if (letter.isEmpty() || !letters.discard(messageId, handler)) {
            return false;
        }
        record(letter.get());
        return true;
    }

    /**
     * Discards the oldest first; dead letters that are added during the call are left alone.
     *
     * @return how many
     */
    public int discard(Filter filter, int atMost) {
        return letters.discard(filter, atMost, this::record);
    }

    private void record(DeadLetter letter) {
        OutboxLog.discarded(letter);
        discarded.accept(letter);
    }
}
