package io.outboxed.internal.capture.check;

import io.outboxed.Payload;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedParameter;
import jakarta.enterprise.inject.spi.AnnotatedType;
import java.util.stream.Stream;

/** The classes of the events that {@code @Outboxed} methods declare. */
public final class PublishedClasses {

    private PublishedClasses() {}

    public static Stream<Class<?>> of(AnnotatedType<?> bean) {
        return OutboxedMethods.mayHave(bean)
                ? OutboxedMethods.of(bean).stream().map(PublishedClasses::of)
                : Stream.empty();
    }

    private static Class<?> of(AnnotatedMethod<?> method) {
        return DeclaredEvent.of(method.getParameters().stream()
                .filter(parameter -> parameter.isAnnotationPresent(Payload.class))
                .map(AnnotatedParameter::getBaseType)
                .findFirst()
                .orElseGet(method::getBaseType));
    }
}
