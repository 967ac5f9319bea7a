package io.outboxed.internal.handlers;

import jakarta.enterprise.inject.spi.Annotated;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import java.lang.annotation.Annotation;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads annotations by name: those of Enterprise Beans, which this module does not depend on, and of MicroProfile Fault
 * Tolerance, which a server may lack.
 */
final class Annotations {

    private Annotations() {}

    static Optional<Annotation> find(Annotated annotated, String name) {
        return annotated.getAnnotations().stream()
                .filter(annotation -> annotation.annotationType().getName().equals(name))
                .findFirst();
    }

    /** The annotation of the class that declares the method, which may be a superclass of the bean's. */
    static Optional<Annotation> onDeclaringClass(AnnotatedType<?> bean, AnnotatedMethod<?> method, String name) {
        Class<?> declaring = method.getJavaMember().getDeclaringClass();
        return declaring == bean.getJavaClass()
                ? find(bean, name)
                : Stream.of(declaring.getAnnotations())
                        .filter(annotation ->
                                annotation.annotationType().getName().equals(name))
                        .findFirst();
    }

    static boolean has(Annotated annotated, String name) {
        return find(annotated, name).isPresent();
    }

    /** The annotation's {@code value}, as text. */
    static String value(Annotation annotation) {
        try {
            return annotation
                    .annotationType()
                    .getMethod("value")
                    .invoke(annotation)
                    .toString();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no value in " + annotation, e);
        }
    }
}
