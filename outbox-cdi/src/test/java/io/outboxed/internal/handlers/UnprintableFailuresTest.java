package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.DeadLetter;
import io.outboxed.Delivered;
import io.outboxed.EventType;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.SilentLog;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Exceptions whose message can't be read: it is computed, for example from an entity whose session has ended. */
@ExtendWith(SilentLog.class)
class UnprintableFailuresTest {
    private static final OutboxConfig THREE_ATTEMPTS = OutboxConfig.DEFAULTS.withRetry(
            new OutboxConfig.Retry(3, Duration.ofMillis(10), 2, Duration.ofSeconds(1), false));

    @EventType("order.placed")
    record Placed(String what) {}

    static class ComputedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("the session has ended");
        }
    }

    @ApplicationScoped
    @Transactional(TxType.NOT_SUPPORTED)
    static class Mailer {
        private final List<String> calls = new CopyOnWriteArrayList<>();
        private final List<DeadLetter> dead = new CopyOnWriteArrayList<>();

        void send(@Observes @Delivered Placed event) {
            calls.add(event.what());
            if (event.what().equals("bad")) {
                throw new ComputedException();
            }
        }

        void died(@Observes DeadLetter letter) {
            dead.add(letter);
        }

        List<String> calls() {
            return calls;
        }

        List<DeadLetter> dead() {
            return dead;
        }
    }

    @Test
    void they_are_counted_like_others_and_end_as_a_dead_letter() {
        try (Deployment deployment = Deployment.of(Mailer.class);
                RunningRelay relay = new RunningRelay(deployment, THREE_ATTEMPTS)) {
            Mailer mailer = deployment.get(Mailer.class);
            relay.publish("order.placed", "bad");
            relay.publish("order.placed", "good");

            relay.until("the dead letter is announced", () -> mailer.dead().size() == 1);

            assertThat(mailer.calls())
                    .containsOnlyOnce("good")
                    .filteredOn("bad"::equals)
                    .hasSize(3);
            assertThat(mailer.dead().get(0).error())
                    .contains(ComputedException.class.getName())
                    .contains("IllegalStateException");
        }
    }
}
