package io.outboxed.internal.capture;

import io.outboxed.spi.PayloadCodec;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessBeanAttributes;

/** Adds the JSON-B codec as a bean unless the application has its own {@link PayloadCodec}. */
public class PayloadCodecExtension implements Extension {
    private boolean replaced;

    void see(@Observes ProcessBeanAttributes<?> bean) {
        replaced |= bean.getBeanAttributes().getTypes().contains(PayloadCodec.class);
    }

    void addDefault(@Observes AfterBeanDiscovery discovery) {
        if (!replaced) {
            discovery
                    .<PayloadCodec>addBean()
                    .id(JsonbPayloadCodec.class.getName())
                    .beanClass(JsonbPayloadCodec.class)
                    .types(PayloadCodec.class, Object.class)
                    .scope(ApplicationScoped.class)
                    .createWith(context -> new JsonbPayloadCodec());
        }
    }
}
