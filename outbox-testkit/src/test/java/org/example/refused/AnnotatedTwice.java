package org.example.refused;

import io.outboxed.testkit.OutboxTest;
import jakarta.enterprise.context.ApplicationScoped;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Not to be run by the build: {@link StartFailuresTest} runs it, and expects it to fail. */
@OutboxTest(AnnotatedTwice.Bean.class)
class AnnotatedTwice {

    @ApplicationScoped
    static class Bean {}

    @Nested
    @OutboxTest(settings = "outbox.retry.max-attempts=1")
    class WithItsOwn {

        @Test
        void is_not_begun() {
            // fails before it
        }
    }
}
