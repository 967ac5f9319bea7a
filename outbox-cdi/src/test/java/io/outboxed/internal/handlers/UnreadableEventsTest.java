package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.util.Throwables.getStackTrace;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.outboxed.EventBatch;
import io.outboxed.EventType;
import io.outboxed.internal.capture.json.PayloadCodecExtension;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.spi.FailureClassifier.Verdict;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.Test;

/**
 * A handler whose events nothing can read is refused: each of them would become a dead letter with its first attempt. A
 * single event that can not be read becomes one, and its payload is not shown.
 */
class UnreadableEventsTest {
    @EventType("order.changed")
    public interface Changed {}

    @EventType("order.placed")
    record Hidden(String order) {}

    @EventType("order.paid")
    public record Paid(String order) {}

    @ApplicationScoped
    static class Unreadable {
        void changed(@Observes Changed event) {}

        void hidden(@Observes EventBatch<Hidden> events) {}
    }

    @ApplicationScoped
    static class Readable {
        void paid(@Observes Paid event) {}

        /** No event of the outbox. */
        void fired(@Observes Runnable event) {}
    }

    @EventType("order.placed")
    record Placed(String order) {
        Placed {
            if (order.equals("broken")) {
                throw new IllegalArgumentException("no order: " + order);
            }
            if (order.equals("huge")) {
                throw new OutOfMemoryError("in a test");
            }
            if (order.equals("deep")) {
                throw new StackOverflowError("in a test");
            }
            if (order.equals("circle")) {
                IllegalStateException cause = new IllegalStateException("in a test");
                throw new IllegalStateException("in a test", cause.initCause(new IllegalStateException(cause)));
            }
        }
    }

    @ApplicationScoped
    static class Shop {
        private final List<String> called = new ArrayList<>();

        void plain(@Observes Placed event) {
            called.add(event.order());
        }

        List<String> called() {
            return called;
        }
    }

    @Test
    void a_handler_of_a_class_that_json_b_can_not_read_is_refused() {
        String name = Unreadable.class.getName();
        assertThat(refusal(Unreadable.class))
                .contains("OUTBOX-0527 " + name + ".changed(Changed) observes Changed, which is an interface")
                .contains("OUTBOX-0527 " + name + ".hidden(EventBatch<Hidden>) observes Hidden, which is not public")
                .contains("PayloadCodec");
        assertThat(refusal(Readable.class)).isNull();
    }

    @Test
    void a_codec_of_the_application_may_read_any_class() {
        assertThat(refusal(Unreadable.class, LineCodec.class)).isNull();
    }

    @Test
    void a_payload_that_cannot_be_read_is_dead_at_once_and_not_shown() {
        try (Deployment deployment = Deployment.of(Shop.class)) {
            Outcome outcome = deployment.deliver("order.placed", "Shop.plain", "broken");
            assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
                assertThat(failed.failure())
                        .hasMessageStartingWith("OUTBOX-0544 message")
                        .hasMessageNotContaining("broken");
                assertThat(getStackTrace(failed.failure()))
                        .contains("Caused by: java.lang.IllegalArgumentException\n", "$Placed.<init>(")
                        .doesNotContain("broken");
                assertThat(verdict(deployment, failed.failure())).isEqualTo(Verdict.DEAD);
            });
            assertThat(deployment.get(Shop.class).called()).isEmpty();
        }
    }

    @Test
    void headers_that_cannot_be_read_are_not_shown() {
        try (Deployment deployment = Deployment.of(Shop.class)) {
            Outcome outcome = deployment.deliver("order.placed", "Shop.plain", "o-1", "{\"tenant\":broken}");
            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            Outcome.Failed.class,
                            failed -> assertThat(getStackTrace(failed.failure()))
                                    .contains("OUTBOX-0544", "Caused by: ")
                                    .doesNotContain("broken"));
        }
    }

    /** The codec wraps it: the event's constructor was called by reflection. */
    @Test
    void an_out_of_memory_error_of_the_codec_is_retried() {
        try (Deployment deployment = Deployment.of(Shop.class)) {
            Throwable failure = failure(deployment, "huge");
            assertThat(failure).isInstanceOf(OutOfMemoryError.class);
            assertThat(verdict(deployment, failure)).isEqualTo(Verdict.RETRY);
        }
    }

    @Test
    void a_payload_that_overflows_the_stack_is_dead_at_once() {
        try (Deployment deployment = Deployment.of(Shop.class)) {
            assertThat(verdict(deployment, failure(deployment, "deep"))).isEqualTo(Verdict.DEAD);
        }
    }

    @Test
    void a_checked_exception_of_the_codec_means_unreadable_as_any_other() {
        try (Deployment deployment = Deployment.of(Shop.class)) {
            Throwable failure = failure(deployment, LineCodec.CHECKED);
            assertThat(failure).hasMessageStartingWith("OUTBOX-0544").hasMessageContaining("threw java.io.IOException");
            assertThat(verdict(deployment, failure)).isEqualTo(Verdict.DEAD);
        }
    }

    @Test
    void a_codec_may_throw_what_is_its_own_cause() {
        try (Deployment deployment = Deployment.of(Shop.class)) {
            Outcome outcome = assertTimeoutPreemptively(
                    Duration.ofSeconds(60), () -> deployment.deliver("order.placed", "Shop.plain", "circle"));
            assertThat(outcome).isInstanceOf(Outcome.Failed.class);
        }
    }

    private static Throwable failure(Deployment deployment, String payload) {
        return ((Outcome.Failed) deployment.deliver("order.placed", "Shop.plain", payload)).failure();
    }

    private static Verdict verdict(Deployment deployment, Throwable failure) {
        return deployment.deliveries().classify(Deployment.delivery("order.placed", "Shop.plain", "o-1"), failure);
    }

    /** The message that the deployment failed with, null if it did not. */
    private static String refusal(Class<?>... beans) {
        Throwable failure = catchThrowable(() -> {
            try (WeldContainer deployed = new Weld()
                    .disableDiscovery()
                    .extensions(new HandlersExtension(), new PayloadCodecExtension())
                    .addBeanClasses(beans)
                    .initialize()) {
                assertThat(deployed.isRunning()).isTrue();
            }
        });
        return failure == null ? null : failure.getMessage();
    }
}
