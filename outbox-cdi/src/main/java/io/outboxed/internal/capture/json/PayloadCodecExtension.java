package io.outboxed.internal.capture.json;

import io.outboxed.OutboxException;
import io.outboxed.internal.capture.MethodName;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.spi.PayloadCodec;
import jakarta.decorator.Decorator;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Default;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.Annotated;
import jakarta.enterprise.inject.spi.AnnotatedField;
import jakarta.enterprise.inject.spi.AnnotatedMember;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.BeanAttributes;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessBeanAttributes;
import jakarta.inject.Singleton;
import java.lang.annotation.Annotation;
import java.util.SortedSet;
import java.util.TreeSet;

/** Adds the JSON-B codec as a bean unless the application has its own {@link PayloadCodec}. */
public class PayloadCodecExtension implements Extension {
    /** Those that compete with each other, by name. */
    private final SortedSet<String> codecs = new TreeSet<>();

    private boolean replaced;
    private boolean alternative;
    private boolean added;

    void see(@Observes ProcessBeanAttributes<?> bean) {
        BeanAttributes<?> attributes = bean.getBeanAttributes();
        if (!attributes.getTypes().contains(PayloadCodec.class)) {
            return;
        }
        replaced = true;
        if (attributes.isAlternative() || isOfAlternative(bean.getAnnotated())) {
            alternative = true;
        } else if (attributes.getQualifiers().contains(Default.Literal.INSTANCE)
                && !bean.getAnnotated().isAnnotationPresent(Decorator.class)) {
            codecs.add(name(bean.getAnnotated()));
        }
    }

    /** A producer is an alternative if its bean is one, by itself or by a stereotype. */
    private static boolean isOfAlternative(Annotated declaration) {
        return declaration instanceof AnnotatedMember<?> producer
                && producer.getDeclaringType().getAnnotations().stream()
                        .map(Annotation::annotationType)
                        .anyMatch(type -> type == Alternative.class || type.isAnnotationPresent(Alternative.class));
    }

    private static String name(Annotated declaration) {
        if (declaration instanceof AnnotatedMethod<?> producer) {
            return MethodName.of(producer.getJavaMember());
        }
        return declaration instanceof AnnotatedField<?> producer
                ? producer.getJavaMember().getDeclaringClass().getName() + "."
                        + producer.getJavaMember().getName()
                : declaration.getBaseType().getTypeName();
    }

    void addDefault(@Observes AfterBeanDiscovery discovery) {
        // the container would report it later, with the name of a class that the application does not know
        if (codecs.size() > 1 && !alternative) {
            OutboxException refusal = new OutboxException(
                    "OUTBOX-0135",
                    "there are several PayloadCodec beans (" + String.join(", ", codecs)
                            + "): only one is allowed. Remove the others, or make one an @Alternative with a @Priority");
            OutboxLog.deploymentRefused(refusal);
            discovery.addDefinitionError(refusal);
        }
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
