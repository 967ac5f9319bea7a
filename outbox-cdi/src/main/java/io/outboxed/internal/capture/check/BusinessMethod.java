package io.outboxed.internal.capture.check;

import io.outboxed.AnyEvent;
import io.outboxed.EventBatch;
import io.outboxed.EventType;
import io.outboxed.OutboxMessage;
import io.outboxed.internal.capture.event.EventTypes;
import io.outboxed.internal.config.FaultTolerancePriority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedParameter;
import jakarta.enterprise.inject.spi.AnnotatedType;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A method that an interceptor is bound to: whether the container calls the interceptor, and in a transaction. */
public final class BusinessMethod {
    /** By name: a server may lack Fault Tolerance, and Enterprise Beans. */
    private static final String FAULT_TOLERANCE = "org.eclipse.microprofile.faulttolerance.";

    private static final List<String> SESSION_BEANS =
            List.of("jakarta.ejb.Stateless", "jakarta.ejb.Stateful", "jakarta.ejb.Singleton");

    private final AnnotatedType<?> bean;
    private final AnnotatedMethod<?> method;

    public BusinessMethod(AnnotatedType<?> bean, AnnotatedMethod<?> method) {
        this.bean = bean;
        this.method = method;
    }

    /** @return the modifiers that keep interceptors from being called */
    public List<String> obstacles() {
        List<String> modifiers =
                List.of(Modifier.toString(method.getJavaMember().getModifiers()).split(" "));
        return Stream.of("private", "static", "final")
                .filter(modifiers::contains)
                .toList();
    }

    /** @return the annotations that exclude a transaction, such as {@code @jakarta.transaction.Transactional(NEVER)} */
    public List<String> exclusions() {
        // that of a session bean's class applies to the methods that this class declares
        return Stream.of(
                        exclusion("jakarta.transaction.Transactional", bean.getAnnotations()),
                        exclusion("jakarta.ejb.TransactionAttribute", ofDeclaringClass()))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<String> exclusion(String annotation, Collection<Annotation> ofClass) {
        return nearest(annotation, ofClass)
                .filter(value -> value.equals("NEVER") || value.equals("NOT_SUPPORTED"))
                .map(value -> "@" + annotation + "(" + value + ")");
    }

    private Collection<Annotation> ofDeclaringClass() {
        Class<?> declaring = method.getJavaMember().getDeclaringClass();
        return declaring == bean.getJavaClass() ? bean.getAnnotations() : List.of(declaring.getAnnotations());
    }

    public boolean hasFallback() {
        return named(FAULT_TOLERANCE + "Fallback", method.getAnnotations().stream());
    }

    /** On the method or its class. */
    public boolean hasRetry() {
        return named(
                FAULT_TOLERANCE + "Retry",
                Stream.concat(method.getAnnotations().stream(), bean.getAnnotations().stream()));
    }

    /**
     * Whether all tries and the fallback run in one transaction, which something outside of Fault Tolerance has begun:
     * the method's {@code @Transactional} or a caller. Only a handler's is begun inside, for each try.
     */
    public boolean hasOneTransactionForAllTries(FaultTolerancePriority faultTolerance) {
        return isOnSessionBean() || faultTolerance.insideTransactional() && !mayBeHandler();
    }

    /** Whether it observes batches of events. */
    public boolean handlesBatches() {
        return observed().anyMatch(parameter -> parameter.getJavaParameter().getType() == EventBatch.class);
    }

    /** The relay calls it. What a generic class observes is known only to its subclasses. */
    private boolean mayBeHandler() {
        return handlesBatches()
                || observed()
                        .anyMatch(parameter -> parameter.getBaseType() instanceof TypeVariable
                                || parameter.isAnnotationPresent(EventType.class)
                                || parameter.isAnnotationPresent(AnyEvent.class)
                                || parameter.getJavaParameter().getType() == OutboxMessage.class
                                || EventTypes.isEvent(
                                        parameter.getJavaParameter().getType()));
    }

    private Stream<? extends AnnotatedParameter<?>> observed() {
        return method.getParameters().stream()
                .filter(parameter -> parameter.isAnnotationPresent(Observes.class)
                        || parameter.isAnnotationPresent(ObservesAsync.class));
    }

    private boolean isOnSessionBean() {
        return SESSION_BEANS.stream().anyMatch(name -> named(name, bean.getAnnotations().stream()));
    }

    private static boolean named(String annotation, Stream<Annotation> annotations) {
        return annotations.anyMatch(found -> found.annotationType().getName().equals(annotation));
    }

    public boolean isInBeanManagedTransactions() {
        return nearest("jakarta.ejb.TransactionManagement", bean.getAnnotations())
                .filter("BEAN"::equals)
                .isPresent();
    }

    /** Reads the annotation's value by name, because a server without EJB does not have these classes. */
    private Optional<String> nearest(String annotation, Collection<Annotation> ofClass) {
        return Stream.concat(method.getAnnotations().stream(), ofClass.stream())
                .filter(found -> found.annotationType().getName().equals(annotation))
                .findFirst()
                .map(BusinessMethod::value);
    }

    private static String value(Annotation annotation) {
        try {
            return String.valueOf(annotation.annotationType().getMethod("value").invoke(annotation));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(annotation + " has no readable value", e);
        }
    }

    /** Whether calls of this method of the bean end in another one: a bean's type lists both. */
    public static boolean isOverridden(Class<?> bean, Method method) {
        return !Modifier.isPrivate(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && below(bean, method).anyMatch(other -> !other.isBridge() || leadsElsewhere(other, method));
    }

    /**
     * Whether the bean's class has a bridge of the same parameters: a public class that inherits a public method from a
     * class that is not public has one, which only passes the call on.
     */
    public static boolean hasBridge(Class<?> bean, Method method) {
        return below(bean, method).anyMatch(Method::isBridge);
    }

    /** The methods with this name and these parameters in the classes between the bean and the method. */
    private static Stream<Method> below(Class<?> bean, Method method) {
        return Stream.<Class<?>>iterate(
                        bean, level -> level != null && level != method.getDeclaringClass(), Class::getSuperclass)
                .filter(level -> reaches(level, method))
                .flatMap(level -> Stream.of(level.getDeclaredMethods()))
                .filter(other -> other.getName().equals(method.getName())
                        && Arrays.equals(other.getParameterTypes(), method.getParameterTypes()));
    }

    private static boolean reaches(Class<?> level, Method method) {
        return Modifier.isPublic(method.getModifiers())
                || Modifier.isProtected(method.getModifiers())
                || level.getPackage() == method.getDeclaringClass().getPackage();
    }

    private static boolean leadsElsewhere(Method bridge, Method method) {
        return Stream.of(bridge.getDeclaringClass().getDeclaredMethods())
                .anyMatch(target -> isBehind(bridge, target, method));
    }

    /** Its parameters differ from those of the overridden method only where these are type variables. */
    private static boolean isBehind(Method bridge, Method target, Method method) {
        return !target.isBridge()
                && target.getName().equals(bridge.getName())
                && target.getParameterCount() == bridge.getParameterCount()
                && IntStream.range(0, bridge.getParameterCount())
                        .allMatch(i -> mayBe(
                                method.getGenericParameterTypes()[i],
                                bridge.getParameterTypes()[i],
                                target.getParameterTypes()[i]));
    }

    private static boolean mayBe(Type declared, Class<?> erased, Class<?> target) {
        return declared instanceof Class ? erased == target : erased.isAssignableFrom(target);
    }
}
