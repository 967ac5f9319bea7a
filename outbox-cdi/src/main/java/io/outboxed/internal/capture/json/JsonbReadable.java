package io.outboxed.internal.capture.json;

import io.outboxed.spi.PayloadCodec;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.json.bind.annotation.JsonbCreator;
import java.lang.annotation.Annotation;
import java.lang.reflect.Modifier;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Whether JSON-B can make an object of a class, as far as that is known before there is one. */
public final class JsonbReadable {
    private static final String ANNOTATIONS = JsonbCreator.class.getPackage().getName() + ".";

    private JsonbReadable() {}

    /** Whether the application has no codec of its own. */
    public static boolean isDefault(BeanManager manager) {
        Set<Bean<?>> codecs = manager.getBeans(PayloadCodec.class);
        return codecs.size() == 1 && codecs.iterator().next().getBeanClass() == JsonbPayloadCodec.class;
    }

    /** What JSON-B misses: https://jakarta.ee/specifications/jsonb/3.0/jakarta-jsonb-spec-3.0#java-class */
    public static Optional<String> obstacle(Class<?> type) {
        if (isAnnotated(type)) {
            return Optional.empty();
        }
        if (!Modifier.isPublic(type.getModifiers())) {
            return Optional.of("is not public");
        }
        if (hasCreator(type)) {
            return Optional.empty();
        }
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            return Optional.of(type.isInterface() ? "is an interface" : "is abstract");
        }
        return type.isRecord() || type.isEnum() || hasPlainConstructor(type)
                ? Optional.empty()
                : Optional.of("has no constructor without parameters");
    }

    /** The annotation of a supertype may name the class to create, or who creates it. */
    private static boolean isAnnotated(Class<?> type) {
        return type != null
                && (Stream.of(type.getAnnotations())
                                .map(Annotation::annotationType)
                                .anyMatch(each -> each.getName().startsWith(ANNOTATIONS))
                        || isAnnotated(type.getSuperclass())
                        || Stream.of(type.getInterfaces()).anyMatch(JsonbReadable::isAnnotated));
    }

    private static boolean hasCreator(Class<?> type) {
        return Stream.concat(Stream.of(type.getDeclaredConstructors()), Stream.of(type.getDeclaredMethods()))
                .anyMatch(each -> each.isAnnotationPresent(JsonbCreator.class));
    }

    private static boolean hasPlainConstructor(Class<?> type) {
        return Stream.of(type.getDeclaredConstructors())
                .filter(each -> !Modifier.isPrivate(each.getModifiers()))
                .anyMatch(each -> each.getParameterCount() == 0);
    }
}
