package io.outboxed.internal.capture.check;

import jakarta.enterprise.inject.spi.Annotated;
import jakarta.enterprise.inject.spi.AnnotatedType;
import java.lang.annotation.Annotation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Annotations that bring an interceptor along, because bindings and stereotypes are transitive. The interceptor would
 * work, but nothing that is checked by its own annotation would be.
 */
public final class ComposedAnnotations {
    private ComposedAnnotations() {}

    /** The names of those on the bean's class and methods, sorted. */
    public static List<String> with(Class<? extends Annotation> binding, AnnotatedType<?> bean) {
        Stream<? extends Annotated> methods = bean.getMethods().stream()
                // the compiler copies annotations to the bridges of generic methods
                .filter(method -> !method.getJavaMember().isBridge())
                .filter(method -> !BusinessMethod.isOverridden(bean.getJavaClass(), method.getJavaMember()));
        return Stream.concat(Stream.of(bean), methods)
                .flatMap(annotated -> annotated.getAnnotations().stream())
                .map(Annotation::annotationType)
                .filter(type -> brings(binding, type, new HashSet<>()))
                .map(Class::getName)
                .distinct()
                .sorted()
                .toList();
    }

    private static boolean brings(Class<?> binding, Class<? extends Annotation> type, Set<Class<?>> seen) {
        return seen.add(type)
                && Stream.of(type.getAnnotations())
                        .map(Annotation::annotationType)
                        .anyMatch(meta -> meta == binding || brings(binding, meta, seen));
    }
}
