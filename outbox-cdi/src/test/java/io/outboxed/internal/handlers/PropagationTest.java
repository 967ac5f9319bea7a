package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.EventType;
import io.outboxed.OutboxException;
import io.outboxed.OutboxMessage;
import io.outboxed.example.Caller;
import io.outboxed.example.CallerPropagator;
import io.outboxed.internal.log.SneakyThrow;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.tracing.Propagators;
import io.outboxed.spi.ContextPropagator;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class PropagationTest {

    @EventType("order.placed")
    record Placed(String order) {}

    @ApplicationScoped
    static class Shop {
        @Inject
        Caller caller;

        @Inject
        Steps steps;

        void ship(@Observes Placed event) {
            steps.add("ship for " + caller.tenant() + "/" + caller.name());
        }
    }

    @ApplicationScoped
    static class Steps {
        private final List<String> all = new ArrayList<>();
        private Exception failAtCapture;
        private RuntimeException failAtRestore;
        private RuntimeException failAtUndo;
        private Map<String, String> captured = Map.of();

        void add(String step) {
            all.add(step);
        }

        void failAtCapture(Exception failure) {
            failAtCapture = failure;
        }

        void failAtRestore(RuntimeException failure) {
            failAtRestore = failure;
        }

        void failAtUndo(RuntimeException failure) {
            failAtUndo = failure;
        }

        void capture(Map<String, String> headers) {
            captured = headers;
        }

        List<String> all() {
            return all;
        }

        Map<String, String> captured() {
            if (failAtCapture != null) {
                throw SneakyThrow.of(failAtCapture);
            }
            return captured;
        }

        void restored() {
            throwIf(failAtRestore);
        }

        void undone() {
            throwIf(failAtUndo);
        }

        private static void throwIf(RuntimeException failure) {
            if (failure != null) {
                throw failure;
            }
        }
    }

    @ApplicationScoped
    static class First implements ContextPropagator {
        @Inject
        Steps steps;

        @Override
        public Map<String, String> capture() {
            return Map.of("first", "1");
        }

        @Override
        public AutoCloseable restore(OutboxMessage message) {
            steps.add("first " + message.headers().get("trace"));
            return () -> steps.add("first undone");
        }
    }

    @ApplicationScoped
    static class Second implements ContextPropagator {
        @Inject
        Steps steps;

        @Override
        public Map<String, String> capture() {
            return steps.captured();
        }

        @Override
        public AutoCloseable restore(OutboxMessage message) {
            steps.restored();
            steps.add("second");
            return () -> {
                steps.add("second undone");
                steps.undone();
            };
        }
    }

    @AutoClose
    private final Deployment deployment =
            Deployment.of(Shop.class, Steps.class, First.class, Second.class, Caller.class);

    private Steps steps() {
        return deployment.get(Steps.class);
    }

    private Map<String, String> captured() {
        return deployment.get(Propagators.class).capture("order.placed", PropagationTest::check);
    }

    private Outcome deliver() {
        return deployment.deliver("order.placed", "Shop.ship", "o-1");
    }

    @Test
    void all_propagators_surround_the_handler_in_the_order_of_their_names() {
        assertThat(deliver()).isEqualTo(new Outcome.Done(true));
        assertThat(steps().all()).containsExactly("first t-1", "second", "ship for /", "second undone", "first undone");
    }

    @Test
    void one_that_fails_before_the_handler_is_the_handlers_failure() {
        IllegalStateException cause = new IllegalStateException("no such tenant");
        steps().failAtRestore(cause);

        assertThat(deliver())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.failure())
                                .hasMessageStartingWith(
                                        "OUTBOX-0547 the ContextPropagator " + Second.class.getName()
                                                + " threw java.lang.IllegalStateException for message 00000000-0000-0007-0000-000000000001")
                                .hasMessageNotContaining("tenant")
                                .hasCause(cause));
        assertThat(steps().all()).containsExactly("first t-1", "first undone");
        assertThat(deployment.messages()).as("the message is not touched").containsExactly("0");
    }

    @Test
    void one_that_cannot_undo_changes_nothing_that_the_handler_did() {
        steps().failAtUndo(new IllegalStateException("stuck"));
        assertThat(deliver()).isEqualTo(new Outcome.Done(true));
        assertThat(steps().all()).endsWith("second undone", "first undone");
    }

    @Test
    void what_all_of_them_capture_is_stored() {
        steps().capture(Map.of("tenant", "north"));
        assertThat(captured()).containsOnly(Map.entry("first", "1"), Map.entry("tenant", "north"));
    }

    @Test
    void one_that_fails_while_publishing_fails_the_publish() {
        IllegalStateException cause = new IllegalStateException("no caller");
        steps().failAtCapture(cause);
        assertRefused("threw java.lang.IllegalStateException", cause);
        IOException checked = new IOException("no caller");
        steps().failAtCapture(checked);
        assertRefused("threw java.io.IOException", checked);
        steps().failAtCapture(null);
        steps().capture(null);
        assertRefused("returned null", null);
        steps().capture(Map.of("first", "2"));
        assertRefused("returned the header first, which another propagator also returned", null);
    }

    private static void check(Map<String, String> headers) {
        if (headers.containsKey("traceparent")) {
            throw new OutboxException("OUTBOX-0114", "the header traceparent is reserved");
        }
    }

    @Test
    void one_that_captures_a_header_that_can_not_be_stored_is_named() {
        steps().capture(Map.of("traceparent", "1"));
        assertThatThrownBy(this::captured)
                .hasMessageStartingWith("OUTBOX-0115 the ContextPropagator " + Second.class.getName()
                        + " returned a header that can't be stored (OUTBOX-0114 the header traceparent is reserved)");
    }

    private void assertRefused(String what, Throwable cause) {
        assertThatThrownBy(this::captured)
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0115 the ContextPropagator " + Second.class.getName() + " " + what)
                .hasCause(cause);
    }

    @Test
    void the_example_of_the_documentation_propagates_tenant_and_principal() {
        try (Deployment example = Deployment.of(Shop.class, Steps.class, Caller.class, CallerPropagator.class)) {
            RequestContextController request = example.get(RequestContextController.class);
            request.activate();
            example.get(Caller.class).is("ada", "north");
            assertThat(example.get(Propagators.class).capture("order.placed", PropagationTest::check))
                    .containsOnly(Map.entry("tenant", "north"), Map.entry("principal", "ada"));
            request.deactivate();

            example.deliver("order.placed", "Shop.ship", "o-1", "{\"tenant\":\"north\",\"principal\":\"ada\"}");
            example.deliver("order.placed", "Shop.ship", "o-1", "{}");
            assertThat(example.get(Steps.class).all()).containsExactly("ship for north/ada", "ship for /");
        }
    }
}
