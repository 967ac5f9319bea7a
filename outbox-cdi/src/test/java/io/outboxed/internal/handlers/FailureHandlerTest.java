package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.DeadLetter;
import io.outboxed.Delivered;
import io.outboxed.EventType;
import io.outboxed.PermanentFailureException;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.relay.SilentLog;
import io.outboxed.spi.FailedAttempt;
import io.outboxed.spi.FailureClassifier.Verdict;
import io.outboxed.spi.FailureHandler;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Qualifier;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an application learns of failed attempts, and that nothing waits for it. */
@ExtendWith(SilentLog.class)
class FailureHandlerTest {
    private static final OutboxConfig THREE_ATTEMPTS = OutboxConfig.DEFAULTS.withRetry(
            new OutboxConfig.Retry(3, Duration.ofMillis(10), 2, Duration.ofSeconds(1), false));

    @EventType("order.placed")
    record Placed(String what) {}

    @ApplicationScoped
    @Transactional(TxType.NOT_SUPPORTED)
    static class Mailer {
        private final List<String> sent = new CopyOnWriteArrayList<>();

        void send(@Observes @Delivered Placed event) {
            switch (event.what()) {
                case "bug" -> throw new IllegalStateException("a bug");
                case "never" -> throw new PermanentFailureException("no such customer");
                default -> sent.add(event.what());
            }
        }

        List<String> sent() {
            return sent;
        }
    }

    @ApplicationScoped
    static class Records implements FailureHandler {
        private final List<FailedAttempt> all = new CopyOnWriteArrayList<>();
        private final List<DeadLetter> dead = new CopyOnWriteArrayList<>();

        @Override
        public void failed(FailedAttempt attempt) {
            all.add(attempt);
        }

        void died(@Observes DeadLetter letter) {
            dead.add(letter);
        }

        List<FailedAttempt> all() {
            return all;
        }

        List<DeadLetter> dead() {
            return dead;
        }
    }

    @Qualifier
    @Retention(RetentionPolicy.RUNTIME)
    @interface Alerts {}

    @Alerts
    @ApplicationScoped
    static class Qualified extends AlwaysThrows {}

    @Test
    void one_with_a_qualifier_is_not_used_and_said_to_be_so_unless_there_is_another_one() {
        try (CapturedLog log = new CapturedLog()) {
            Deployment.of(Mailer.class, Qualified.class).close();
            assertThat(log.lines)
                    .filteredOn(line -> line.contains("OUTBOX-0587"))
                    .singleElement()
                    .asString()
                    .contains("Qualified is a FailureHandler with a qualifier");
        }
        try (CapturedLog log = new CapturedLog()) {
            Deployment.of(Mailer.class, Qualified.class, Records.class).close();
            assertThat(log.lines).noneMatch(line -> line.contains("OUTBOX-0587"));
        }
    }

    /** One of two: in whichever order the container lists the beans, another one comes after one that throws. */
    @ApplicationScoped
    static class AlwaysThrows implements FailureHandler {
        @Override
        public void failed(FailedAttempt attempt) {
            throw new AssertionError("a bug of the failure handler");
        }
    }

    @ApplicationScoped
    static class ThrowsInTurn extends AlwaysThrows {}

    @ApplicationScoped
    static class ThrowsToo implements FailureHandler {
        @Override
        public void failed(FailedAttempt attempt) {
            throw new IllegalStateException("a bug of the other one");
        }
    }

    @Dependent
    static class CanNotBeCreated implements FailureHandler {
        @PostConstruct
        void connect() {
            throw new IllegalStateException("no connection");
        }

        @Override
        public void failed(FailedAttempt attempt) {
            throw new AssertionError("was not created");
        }
    }

    @ApplicationScoped
    static class Hangs implements FailureHandler {
        private final CountDownLatch released = new CountDownLatch(1);

        @Override
        public void failed(FailedAttempt attempt) {
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void release() {
            released.countDown();
        }
    }

    @ApplicationScoped
    static class Unavailable implements FailureHandler {
        private final List<String> told = new CopyOnWriteArrayList<>();
        private final List<String> interrupted = new CopyOnWriteArrayList<>();
        private final CountDownLatch released = new CountDownLatch(1);

        @Override
        public void failed(FailedAttempt attempt) {
            hang("failure");
        }

        void died(@Observes DeadLetter letter) {
            hang("dead letter");
        }

        private void hang(String what) {
            told.add(what);
            try {
                released.await();
            } catch (InterruptedException e) {
                interrupted.add(what);
            }
        }

        List<String> told() {
            return told;
        }

        List<String> interrupted() {
            return interrupted;
        }

        void release() {
            released.countDown();
        }
    }

    @Test
    void a_node_that_stops_interrupts_what_hangs_and_tells_nothing_more() throws InterruptedException {
        try (Deployment deployment = Deployment.of(Mailer.class, Unavailable.class);
                RunningRelay relay = new RunningRelay(deployment, THREE_ATTEMPTS)) {
            Unavailable unavailable = deployment.get(Unavailable.class);
            for (int i = 0; i < 5; i++) {
                relay.publish("order.placed", "never");
            }
            relay.untilAllIsOver();
            relay.until("all threads hang", () -> unavailable.told().size() == 3);
            try {
                assertThat(relay.stops()).as("no thread is kept").isTrue();
                assertThat(unavailable.told())
                        .containsExactlyInAnyOrder("failure", "dead letter", "dead letter")
                        .containsExactlyInAnyOrderElementsOf(unavailable.interrupted());
            } finally {
                unavailable.release();
            }
        }
    }

    @Test
    void each_failed_attempt_is_reported_with_what_follows_even_if_another_failure_handler_throws() {
        try (CapturedLog log = new CapturedLog();
                Deployment deployment =
                        Deployment.of(Mailer.class, AlwaysThrows.class, Records.class, ThrowsToo.class);
                RunningRelay relay = new RunningRelay(deployment, THREE_ATTEMPTS)) {
            List<FailedAttempt> reported = deployment.get(Records.class).all();
            UUID bug = relay.publish("order.placed", "bug");
            relay.until("all attempts are reported", () -> reported.size() == 3);
            UUID never = relay.publish("order.placed", "never");
            relay.until("the permanent failure is reported", () -> reported.size() == 4);

            assertThat(reported).extracting(FailedAttempt::messageId).containsExactly(bug, bug, bug, never);
            assertThat(reported).extracting(FailedAttempt::attempt).containsExactly(1, 2, 3, 1);
            assertThat(reported)
                    .extracting(FailedAttempt::verdict)
                    .containsExactly(Verdict.RETRY, Verdict.RETRY, Verdict.RETRY, Verdict.DEAD);
            assertThat(reported)
                    .extracting(FailedAttempt::nextAttemptIn)
                    .containsExactly(Duration.ofMillis(10), Duration.ofMillis(20), null, null);
            assertThat(reported).extracting(FailedAttempt::isDead).containsExactly(false, false, true, true);
            assertThat(reported).allSatisfy(attempt -> {
                assertThat(attempt.handler()).isEqualTo("Mailer.send");
                assertThat(attempt.type()).isEqualTo("order.placed");
                assertThat(attempt.aggregateType()).isEqualTo("order");
                assertThat(attempt.aggregateId()).startsWith("o-");
                assertThat(attempt.counted()).isTrue();
            });
            assertThat(reported.get(3).failure())
                    .isInstanceOf(PermanentFailureException.class)
                    .hasMessage("no such customer");
            for (Class<?> one : List.of(AlwaysThrows.class, ThrowsToo.class)) {
                String each = "WARNING OUTBOX-0597 the FailureHandler " + one.getName() + " failed for attempt ";
                relay.until(
                        "all failures of " + one.getSimpleName() + " are logged",
                        () -> log.lines.stream()
                                        .filter(line -> line.startsWith(each))
                                        .count()
                                == 4);
                assertThat(log.lines)
                        .filteredOn(line -> line.startsWith(each))
                        .extracting(line -> line.substring(each.length(), each.length() + 1))
                        .containsExactly("1", "2", "3", "1");
            }
        }
    }

    @Test
    void one_that_can_not_be_created_holds_up_no_other_one() {
        try (Deployment deployment = Deployment.of(Mailer.class, Records.class, CanNotBeCreated.class);
                RunningRelay relay = new RunningRelay(deployment, THREE_ATTEMPTS)) {
            List<FailedAttempt> reported = deployment.get(Records.class).all();
            relay.publish("order.placed", "bug");
            relay.until("all attempts are reported", () -> reported.size() == 3);
        }
    }

    @Test
    void of_more_than_have_threads_each_is_told() {
        try (CapturedLog log = new CapturedLog();
                Deployment deployment = Deployment.of(
                        Mailer.class,
                        Records.class,
                        CanNotBeCreated.class,
                        AlwaysThrows.class,
                        ThrowsToo.class,
                        ThrowsInTurn.class);
                RunningRelay relay = new RunningRelay(deployment, THREE_ATTEMPTS)) {
            List<FailedAttempt> reported = deployment.get(Records.class).all();
            relay.publish("order.placed", "bug");
            relay.until(
                    "all five are told of all three attempts",
                    () -> reported.size() == 3
                            && log.lines.stream()
                                            .filter(line -> line.contains("OUTBOX-0597"))
                                            .count()
                                    == 4 * 3);
        }
    }

    @Test
    void one_that_hangs_holds_up_no_other_one() {
        try (Deployment deployment = Deployment.of(Mailer.class, Records.class, Unavailable.class);
                RunningRelay relay = new RunningRelay(deployment, THREE_ATTEMPTS)) {
            List<FailedAttempt> reported = deployment.get(Records.class).all();
            List<String> told = deployment.get(Unavailable.class).told();
            relay.publish("order.placed", "bug");
            relay.until("one hangs", () -> told.contains("failure"));
            relay.until("the other one is told of all attempts", () -> reported.size() == 3);

            assertThat(reported).extracting(FailedAttempt::attempt).containsExactly(1, 2, 3);
            assertThat(told).as("still hangs").containsOnlyOnce("failure");
            deployment.get(Unavailable.class).release();
        }
    }

    @Test
    void one_that_hangs_holds_up_neither_deliveries_nor_the_observers_of_dead_letters() {
        try (Deployment deployment = Deployment.of(Mailer.class, Records.class, Hangs.class);
                RunningRelay relay = new RunningRelay(deployment, THREE_ATTEMPTS)) {
            for (int i = 0; i < 5; i++) {
                relay.publish("order.placed", "never");
            }
            relay.publish("order.placed", "fine");

            relay.untilAllIsOver();
            relay.until(
                    "the dead letters are announced",
                    () -> deployment.get(Records.class).dead().size() == 5);

            assertThat(deployment.get(Mailer.class).sent()).containsExactly("fine");
            deployment.get(Hangs.class).release();
        }
    }
}
