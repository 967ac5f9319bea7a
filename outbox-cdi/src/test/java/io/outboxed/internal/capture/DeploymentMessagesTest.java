package io.outboxed.internal.capture;

import static io.outboxed.internal.capture.OutboxedMethodsExtensionTest.weld;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.Idempotent;
import io.outboxed.Outboxed;
import io.outboxed.internal.capture.OutboxedMethodsExtensionTest.Row;
import io.outboxed.internal.inbox.IdempotentMethodsExtension;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.spi.PayloadCodec;
import jakarta.decorator.Decorator;
import jakarta.decorator.Delegate;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Qualifier;
import jakarta.interceptor.Interceptor;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
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

    static class Codec implements PayloadCodec {
        @Override
        public String encode(Object event) {
            return "{}";
        }

        @Override
        public <T> T decode(String text, Class<T> type) {
            throw new UnsupportedOperationException();
        }
    }

    @ApplicationScoped
    public static class OneCodec extends Codec {}

    @Dependent
    public static class Codecs {
        @Produces
        @ApplicationScoped
        PayloadCodec other() {
            return new Codec();
        }
    }

    @Alternative
    @jakarta.annotation.Priority(Interceptor.Priority.APPLICATION)
    @ApplicationScoped
    public static class PreferredCodec extends Codec {}

    @Alternative
    @jakarta.annotation.Priority(Interceptor.Priority.APPLICATION)
    @Dependent
    public static class PreferredCodecs {
        @Produces
        PayloadCodec preferred() {
            return new Codec();
        }
    }

    @Qualifier
    @Retention(RetentionPolicy.RUNTIME)
    @interface Legacy {}

    @Legacy
    @ApplicationScoped
    public static class LegacyCodec extends Codec {}

    @Decorator
    @jakarta.annotation.Priority(Interceptor.Priority.APPLICATION)
    public abstract static class Encrypting implements PayloadCodec {
        @Inject
        @Delegate
        PayloadCodec plain;
    }

    @Dependent
    public static class UsesCodec {
        @Inject
        PayloadCodec codec;
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
                .startsWith("SEVERE OUTBOX-0120 1 problem with @Outboxed methods, nothing was deployed:\n"
                        + "  OUTBOX-0125 ");
    }

    @Test
    void the_problems_of_idempotent_methods_are_logged_line_by_line() {
        assertThat(logged(weld(ReturnsSomething.class).addExtension(new IdempotentMethodsExtension())))
                .singleElement()
                .asString()
                .startsWith("SEVERE OUTBOX-0150 1 problem with @Idempotent methods, nothing was deployed:\n"
                        + "  OUTBOX-0153 ");
    }

    @Test
    void several_codecs_are_refused_with_their_names() {
        Weld weld = weld(UsesCodec.class, OneCodec.class, Codecs.class);
        assertThatThrownBy(() -> weld.initialize().close())
                .hasMessageContaining("OUTBOX-0135 there are several PayloadCodec beans (" + Codecs.class.getName()
                        + ".other(), " + OneCodec.class.getName() + ")");
    }

    @Test
    void an_alternative_with_a_priority_replaces_other_codecs() {
        assertThat(logged(weld(UsesCodec.class, OneCodec.class, Codecs.class, PreferredCodec.class)))
                .isEmpty();
    }

    @Test
    void what_does_not_compete_is_allowed() {
        assertThat(logged(weld(UsesCodec.class, OneCodec.class, PreferredCodecs.class)))
                .isEmpty();
        assertThat(logged(weld(UsesCodec.class, OneCodec.class, LegacyCodec.class)))
                .isEmpty();
        assertThat(logged(weld(UsesCodec.class, OneCodec.class, Encrypting.class)))
                .isEmpty();
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
