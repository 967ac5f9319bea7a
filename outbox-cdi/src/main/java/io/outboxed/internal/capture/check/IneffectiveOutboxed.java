package io.outboxed.internal.capture.check;

import io.outboxed.Outboxed;
import io.outboxed.internal.capture.MethodName;
import io.outboxed.internal.log.OutboxLog;
import jakarta.decorator.Decorator;
import jakarta.enterprise.inject.spi.AnnotatedConstructor;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.InterceptionFactory;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds {@link Outboxed} in places where no interceptor is called for it, and warns of them. */
final class IneffectiveOutboxed {
    private final Set<Class<?>> beans = new HashSet<>();
    /** Class and who creates it, in the order of the names, so that messages are the same at each start. */
    private final SortedMap<String, Found> noBeans = new TreeMap<>();

    private record Found(Class<?> type, String why) {}

    void discovered(AnnotatedType<?> type) {
        Class<?> java = type.getJavaClass();
        if (java.isMemberClass() && !Modifier.isStatic(java.getModifiers())) {
            add(java, "it is an inner class that is not static");
        } else if (type.getConstructors().stream().noneMatch(IneffectiveOutboxed::isForCdi)) {
            add(java, "it has neither a constructor without parameters nor one with @Inject");
        }
    }

    private static boolean isForCdi(AnnotatedConstructor<?> constructor) {
        return constructor.getParameters().isEmpty() || constructor.isAnnotationPresent(Inject.class);
    }

    /** With an {@link InterceptionFactory} a producer applies the interceptors itself. */
    void produced(Method producer) {
        List<ParameterizedType> factories = Arrays.stream(producer.getGenericParameterTypes())
                .filter(ParameterizedType.class::isInstance)
                .map(ParameterizedType.class::cast)
                .filter(type -> type.getRawType() == InterceptionFactory.class)
                .toList();
        if (factories.isEmpty()) {
            add(producer.getReturnType(), "it is created by " + MethodName.of(producer));
        }
        factories.forEach(type -> beans.add(DeclaredEvent.erased(type.getActualTypeArguments()[0])));
    }

    void produced(Field producer) {
        add(
                producer.getType(),
                "it is created by " + producer.getDeclaringClass().getName() + "." + producer.getName());
    }

    private void add(Class<?> type, String why) {
        if (!type.isInterface() && !Modifier.isAbstract(type.getModifiers()) && isOutboxed(type)) {
            noBeans.putIfAbsent(type.getName(), new Found(type, why));
        }
    }

    /** A library's class may have methods with types that the application does not have. */
    private static boolean isOutboxed(Class<?> type) {
        try {
            return hasOutboxed(type);
        } catch (LinkageError | TypeNotPresentException e) {
            return false;
        }
    }

    private static boolean hasOutboxed(Class<?> type) {
        if (type.isAnnotationPresent(Outboxed.class)) {
            return true;
        }
        for (Class<?> level = type; level != null && level != Object.class; level = level.getSuperclass()) {
            for (Method method : level.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Outboxed.class) && !BusinessMethod.isOverridden(type, method)) {
                    return true;
                }
            }
        }
        return false;
    }

    void managed(AnnotatedType<?> bean) {
        beans.add(bean.getJavaClass());
        if (!bean.isAnnotationPresent(Outboxed.class)
                && !bean.isAnnotationPresent(Interceptor.class)
                && !bean.isAnnotationPresent(Decorator.class)) {
            for (Class<?> type : interfaces(bean.getJavaClass())) {
                outboxedMethods(type).stream()
                        .filter(method -> implementations(bean, method).noneMatch(IneffectiveOutboxed::isOutboxed))
                        .map(MethodName::of)
                        .sorted()
                        .forEach(method -> OutboxLog.outboxedInterface(
                                method, bean.getJavaClass().getName()));
            }
        }
    }

    void synthetic(Set<Type> types) {
        types.forEach(type -> beans.add(DeclaredEvent.erased(type)));
    }

    /** A default method may be left as it is; every other one is implemented by the bean. */
    private static List<Method> outboxedMethods(Class<?> type) {
        try {
            return Arrays.stream(type.getDeclaredMethods())
                    .filter(method -> Modifier.isAbstract(method.getModifiers()))
                    .filter(method ->
                            type.isAnnotationPresent(Outboxed.class) || method.isAnnotationPresent(Outboxed.class))
                    .toList();
        } catch (LinkageError | TypeNotPresentException e) {
            return List.of();
        }
    }

    private static boolean isOutboxed(AnnotatedMethod<?> method) {
        return method.isAnnotationPresent(Outboxed.class);
    }

    /** The bean's methods for one of an interface: those with its parameters or, if it is generic, more specific ones. */
    private static Stream<? extends AnnotatedMethod<?>> implementations(AnnotatedType<?> bean, Method declared) {
        List<? extends AnnotatedMethod<?>> candidates = bean.getMethods().stream()
                .filter(own -> own.getJavaMember().getName().equals(declared.getName()))
                .filter(own -> !own.getJavaMember().isBridge())
                .filter(own -> accepts(own.getJavaMember(), declared))
                .toList();
        List<? extends AnnotatedMethod<?>> exact = candidates.stream()
                .filter(own -> Arrays.equals(own.getJavaMember().getParameterTypes(), declared.getParameterTypes()))
                .toList();
        return (exact.isEmpty() ? candidates : exact).stream();
    }

    private static boolean accepts(Method own, Method declared) {
        Class<?>[] types = own.getParameterTypes();
        Class<?>[] general = declared.getParameterTypes();
        return types.length == general.length
                && IntStream.range(0, types.length).allMatch(i -> general[i].isAssignableFrom(types[i]));
    }

    private static Set<Class<?>> interfaces(Class<?> type) {
        Set<Class<?>> found = new LinkedHashSet<>();
        Deque<Class<?>> open = new ArrayDeque<>();
        for (Class<?> next = type; next != null; next = open.poll()) {
            if (next.getSuperclass() != null) {
                open.add(next.getSuperclass());
            }
            for (Class<?> each : next.getInterfaces()) {
                if (found.add(each)) {
                    open.add(each);
                }
            }
        }
        return found;
    }

    /** A producer may also return a bean, under other qualifiers. */
    void report() {
        noBeans.values().stream()
                .filter(found -> beans.stream().noneMatch(found.type()::isAssignableFrom))
                .forEach(found -> OutboxLog.outboxedNoBean(found.type().getName(), found.why()));
    }
}
