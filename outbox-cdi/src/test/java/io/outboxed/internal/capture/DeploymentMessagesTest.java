package io.outboxed.internal.capture;

import static io.outboxed.internal.capture.WeldDeployment.weld;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.Idempotent;
import io.outboxed.Outboxed;
import io.outboxed.internal.capture.OutboxedMethodsExtensionTest.Row;
import io.outboxed.internal.inbox.IdempotentMethodsExtension;
import io.outboxed.internal.metrics.CapturedLog;
import jakarta.enterprise.context.Dependent;
import java.util.List;
import org.jboss.weld.environment.se.Weld;
import org.junit.jupiter.api.Test;

/** What is logged while an application is deployed, and what refuses it, apart from its handlers. */
class DeploymentMessagesTest {

    @Dependent
    public static class PublishesAnEntity {
        @Outboxed
        public Row row() {
            return null;
        }
    }

    @Dependent
    public static class ReturnsNothing {
        @Outboxed
        public void nothing() {}
    }

    @Dependent
    public static class ReturnsSomething {
        @Idempotent
        public int once() {
            return 1;
        }
    }

    @Test
    void an_event_that_is_an_entity_is_named() {
        try (CapturedLog log = new CapturedLog()) {
            weld(PublishesAnEntity.class).initialize().close();
            assertThat(log.lines)
                    .singleElement()
                    .asString()
                    .startsWith("WARNING OUTBOX-0191 " + Row.class.getName() + " is both an event and a JPA entity");
        }
    }

    @Test
    void the_problems_of_outboxed_methods_are_logged_line_by_line() {
        assertThat(logged(weld(ReturnsNothing.class)))
                .singleElement()
                .asString()
                .startsWith("SEVERE OUTBOX-0120 1 problem with @Outboxed methods; nothing was deployed:\n"
                        + "  OUTBOX-0125 ");
    }

    @Test
    void the_problems_of_idempotent_methods_are_logged_line_by_line() {
        assertThat(logged(weld(ReturnsSomething.class).addExtension(new IdempotentMethodsExtension())))
                .singleElement()
                .asString()
                .startsWith("SEVERE OUTBOX-0150 1 problem with @Idempotent methods; nothing was deployed:\n"
                        + "  OUTBOX-0153 ");
    }

    private static List<String> logged(Weld weld) {
        try (CapturedLog log = new CapturedLog()) {
            try {
                weld.initialize().close();
            } catch (RuntimeException refused) {
                assertThat(refused).hasMessageContaining("OUTBOX-01");
            }
            return List.copyOf(log.lines);
        }
    }
}
