package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outboxed.EventBatch;
import io.outboxed.EventType;
import io.outboxed.internal.capture.json.PayloadCodecExtension;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.Test;

/** Each of their events would become a dead letter with its first attempt. */
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
