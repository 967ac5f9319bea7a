package io.outboxed.internal.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.OutboxException;
import io.outboxed.OutboxMessage;
import io.outboxed.spi.ContextPropagator;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.Dependent;
import java.util.Map;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PropagatorCreationTest {
    private static int open;
    private static boolean fails;

    @Dependent
    static class Locale implements ContextPropagator {
        Locale() {
            open++;
        }

        @Override
        public Map<String, String> capture() {
            return Map.of("locale", "en");
        }

        @Override
        public AutoCloseable restore(OutboxMessage message) {
            return null;
        }

        @PreDestroy
        void close() {
            open--;
        }
    }

    @Dependent
    static class Tenant implements ContextPropagator {
        Tenant() {
            if (fails) {
                throw new IllegalStateException("no tenant is configured");
            }
        }

        @Override
        public Map<String, String> capture() {
            return Map.of("tenant", "acme");
        }

        @Override
        public AutoCloseable restore(OutboxMessage message) {
            return null;
        }
    }

    /** Its class can't be initialized. */
    @Dependent
    static class Baggage implements ContextPropagator {
        private static final String LIBRARY = missing();

        private static String missing() {
            throw new NoClassDefFoundError("org/example/Baggage");
        }

        @Override
        public Map<String, String> capture() {
            return Map.of("library", LIBRARY);
        }

        @Override
        public AutoCloseable restore(OutboxMessage message) {
            return null;
        }
    }

    @Test
    void one_that_lacks_a_library_fails_the_publish_in_the_same_way() {
        try (WeldContainer container = new Weld()
                .disableDiscovery()
                .addBeanClasses(Propagators.class, Locale.class, Baggage.class)
                .initialize()) {
            Propagators propagators = container.select(Propagators.class).get();

            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> propagators.capture("order.placed", headers -> {}))
                        .isInstanceOf(OutboxException.class)
                        .hasMessageStartingWith("OUTBOX-0115 the ContextPropagator " + Baggage.class.getName());
            }
            assertThat(open).as("none is left behind").isZero();
        }
    }

    @BeforeEach
    void reset() {
        open = 0;
        fails = true;
    }

    @Test
    void one_that_can_not_be_created_fails_the_publish_and_is_tried_again() {
        try (WeldContainer container = new Weld()
                .disableDiscovery()
                .addBeanClasses(Propagators.class, Locale.class, Tenant.class)
                .initialize()) {
            Propagators propagators = container.select(Propagators.class).get();

            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> propagators.capture("order.placed", headers -> {}))
                        .isInstanceOf(OutboxException.class)
                        .hasMessageStartingWith("OUTBOX-0115 the ContextPropagator " + Tenant.class.getName())
                        .hasRootCauseMessage("no tenant is configured");
            }
            assertThat(open).as("none is left behind").isZero();

            fails = false;
            assertThat(propagators.capture("order.placed", headers -> {}))
                    .isEqualTo(Map.of("locale", "en", "tenant", "acme"));
            propagators.capture("order.placed", headers -> {});
            assertThat(open).isEqualTo(1);
        }
    }
}
