package io.outboxed.internal.capture.check;

import io.outboxed.Outboxed;
import io.outboxed.internal.capture.MethodName;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.AroundTimeout;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Comparator;
import java.util.List;

/** The methods of a bean that {@link Outboxed} applies to. */
final class OutboxedMethods {
    private static final List<Class<? extends Annotation>> NO_BUSINESS =
            List.of(PostConstruct.class, PreDestroy.class, Inject.class, AroundInvoke.class, AroundTimeout.class);

    private OutboxedMethods() {}

    static boolean mayHave(AnnotatedType<?> bean) {
        return bean.isAnnotationPresent(Outboxed.class)
                || bean.getMethods().stream().anyMatch(method -> method.isAnnotationPresent(Outboxed.class));
    }

    /** Sorted by name, so that messages are the same at each start. */
    static List<AnnotatedMethod<?>> of(AnnotatedType<?> bean) {
        boolean all = bean.isAnnotationPresent(Outboxed.class);
        return bean.getMethods().stream()
                .<AnnotatedMethod<?>>map(method -> method)
                .filter(method -> method.isAnnotationPresent(Outboxed.class) || all && isBusiness(method))
                .filter(method -> !BusinessMethod.isOverridden(bean.getJavaClass(), method.getJavaMember()))
                .sorted(Comparator.comparing(method -> MethodName.of(method.getJavaMember())))
                .toList();
    }

    private static boolean isBusiness(AnnotatedMethod<?> method) {
        Method java = method.getJavaMember();
        return !Modifier.isStatic(java.getModifiers())
                && !Modifier.isPrivate(java.getModifiers())
                && !java.isSynthetic()
                && java.getDeclaringClass() != Object.class
                && NO_BUSINESS.stream().noneMatch(method::isAnnotationPresent);
    }
}
