package io.outboxed.internal.capture.json;

import io.outboxed.spi.PayloadCodec;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Default;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessBeanAttributes;
import jakarta.inject.Singleton;

/** Adds the JSON-B codec as a bean unless the application has its own {@link PayloadCodec}, without a qualifier. */
public class PayloadCodecExtension implements Extension {
    private boolean replaced;
    private boolean added;

    void see(@Observes ProcessBeanAttributes<?> bean) {
        replaced |= bean.getBeanAttributes().getTypes().contains(PayloadCodec.class)
                && bean.getBeanAttributes().getQualifiers().contains(Default.Literal.INSTANCE);
    }

    void addDefault(@Observes AfterBeanDiscovery discovery) {
        if (!replaced) {
            added = true;
            discovery
                    .<PayloadCodec>addBean()
                    .id(JsonbPayloadCodec.class.getName())
                    .beanClass(JsonbPayloadCodec.class)
                    .types(PayloadCodec.class, Object.class)
                    .scope(Singleton.class)
                    .createWith(context -> new JsonbPayloadCodec());
        }
    }

    /** Whether the application has no codec of its own, so that all encoded events are valid JSON. */
    public boolean isDefaultInUse() {
        return added;
    }
}
