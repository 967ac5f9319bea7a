package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.DeadLetter;
import io.outboxed.OutboxMessage;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.relay.SilentLog;
import io.outboxed.spi.FailedAttempt;
import io.outboxed.spi.FailureClassifier;
import io.outboxed.spi.FailureHandler;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Code of the application that begins a transaction and does not end it. This thread is the relay's. */
@ExtendWith(SilentLog.class)
class LeftTransactionTest {
    private final CapturedLog log = new CapturedLog();

    @AfterEach
    void end() {
        log.close();
    }

    private static void begin() {
        try {
            NarayanaTransactions.MANAGER.setTransactionTimeout(7);
            NarayanaTransactions.MANAGER.begin();
        } catch (NotSupportedException | SystemException e) {
            throw new IllegalStateException(e);
        }
    }

    private void assertThatItIsRolledBackAndReported(Deployment deployment, String logId) throws SystemException {
        assertThat(NarayanaTransactions.MANAGER.getStatus()).isEqualTo(Status.STATUS_NO_TRANSACTION);
        assertThat(deployment.get(NarayanaTransactions.class).timeouts()).endsWith(0);
        assertThat(log.lines).anyMatch(line -> line.contains(logId));
        assertThat(log.thrown).singleElement().asString().contains("it left a transaction open (status 0)");
    }

    @ApplicationScoped
    static class Alarm {
        void died(@Observes DeadLetter letter) {
            begin();
        }
    }

    @Test
    void an_observer_of_dead_letters_leaves_none_to_the_next_one() throws SystemException {
        try (Deployment deployment = Deployment.of(Alarm.class)) {
            deployment.notifications().deadLettered(deployment.deadLetter("Mailer.send", "o-1"), "Mailer.send");

            assertThatItIsRolledBackAndReported(deployment, "OUTBOX-0593");
        }
    }

    @ApplicationScoped
    static class Protocol implements FailureHandler {
        @Override
        public void failed(FailedAttempt attempt) {
            begin();
        }
    }

    @Test
    void a_failure_handler_leaves_none_to_the_next_report() throws SystemException {
        try (Deployment deployment = Deployment.of(Protocol.class)) {
            deployment
                    .notifications()
                    .attemptFailed(() -> new FailedAttempt(
                            new UUID(7, 1),
                            "placed",
                            "order",
                            "o-1",
                            "Mailer.send",
                            1,
                            new IllegalStateException("a bug"),
                            FailureClassifier.Verdict.DEAD,
                            true,
                            null));

            assertThatItIsRolledBackAndReported(deployment, "OUTBOX-0597");
        }
    }

    @ApplicationScoped
    static class Classifier implements FailureClassifier {
        @Override
        public Verdict classify(OutboxMessage message, String handler, Throwable failure, Verdict builtIn) {
            begin();
            Thread.currentThread().interrupt();
            Thread.currentThread().setContextClassLoader(ClassLoader.getPlatformClassLoader());
            return Verdict.DEAD;
        }
    }

    @Test
    void a_classifier_leaves_none_to_the_relay_and_its_verdict_does_not_count() throws SystemException {
        ClassLoader classes = Thread.currentThread().getContextClassLoader();
        try (Deployment deployment = Deployment.of(Classifier.class)) {
            assertThat(deployment
                            .deliveries()
                            .classify(
                                    Deployment.delivery("placed", "Mailer.send", "{}"),
                                    new IllegalStateException("a bug")))
                    .isEqualTo(FailureClassifier.Verdict.RETRY);

            assertThatItIsRolledBackAndReported(deployment, "OUTBOX-0592");
            assertThat(Thread.interrupted()).isFalse();
            assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(classes);
        }
    }
}
