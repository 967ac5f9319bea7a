package io.outboxed.internal.capture;

import static io.outboxed.internal.capture.WeldDeployment.refusal;
import static io.outboxed.internal.capture.WeldDeployment.weld;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.Outboxed;
import io.outboxed.internal.capture.OutboxedMethodsExtensionTest.Fine;
import io.outboxed.internal.capture.OutboxedMethodsExtensionTest.Hidden;
import io.outboxed.internal.capture.OutboxedMethodsExtensionTest.Placed;
import io.outboxed.spi.PayloadCodec;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Qualifier;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.Test;

/** Which codec a deployment has, and what that means for its events. */
class PayloadCodecExtensionTest {

    @Dependent
    public static class ReturnsHidden {
        @Outboxed
        public Hidden hidden() {
            return null;
        }
    }

    @ApplicationScoped
    public static class OwnCodec implements PayloadCodec {
        @Override
        public String encode(Object event) {
            return event.toString();
        }

        @Override
        public <T> T decode(String text, Class<T> type) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void with_a_custom_codec_events_need_not_be_public_and_the_default_one_is_gone() {
        assertThat(refusal(ReturnsHidden.class)).contains("OUTBOX-0130");
        try (WeldContainer container = weld(ReturnsHidden.class, OwnCodec.class).initialize()) {
            assertThat(container.select(PayloadCodec.class).get().encode("x")).isEqualTo("x");
        }
    }

    @Qualifier
    @Retention(RetentionPolicy.RUNTIME)
    @interface Legacy {}

    @Legacy
    @ApplicationScoped
    public static class LegacyCodec extends OwnCodec {}

    @Test
    void a_codec_with_a_qualifier_is_the_applications_own_business() {
        try (WeldContainer container = weld(Fine.class, LegacyCodec.class).initialize()) {
            assertThat(container.select(PayloadCodec.class).get().encode(new Placed("o-1")))
                    .isEqualTo("{\"id\":\"o-1\"}");
        }
    }

    @Test
    void without_a_custom_codec_json_b_is_the_codec() {
        try (WeldContainer container = weld(Fine.class).initialize()) {
            assertThat(container.select(PayloadCodec.class).get().encode(new Placed("o-1")))
                    .isEqualTo("{\"id\":\"o-1\"}");
        }
    }
}
