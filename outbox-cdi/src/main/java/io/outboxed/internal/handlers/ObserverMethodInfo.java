package io.outboxed.internal.handlers;

import io.outboxed.AnyEvent;
import io.outboxed.EventBatch;
import io.outboxed.EventType;
import io.outboxed.OutboxMessage;
import io.outboxed.internal.capture.check.BusinessMethod;
import io.outboxed.internal.capture.event.EventTypes;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedParameter;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.transaction.Transactional;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** An observer method of an outbox event, as declared in the source. */
record ObserverMethodInfo(AnnotatedType<?> bean, AnnotatedMethod<?> method, AnnotatedParameter<?> event) {
    private static final Set<String> SESSION_BEANS =
            Set.of("jakarta.ejb.Stateless", "jakarta.ejb.Stateful", "jakarta.ejb.Singleton");

    private static final String TRANSACTION_ATTRIBUTE = "jakarta.ejb.TransactionAttribute";

    /**
     * Returns observers of a class with an {@link EventType}, of an {@link OutboxMessage}, of an {@link EventBatch}, or
     * with a qualifier of these.
     */
    static Optional<ObserverMethodInfo> of(AnnotatedType<?> bean, AnnotatedMethod<?> method) {
        return method.getParameters().stream()
                .filter(parameter -> parameter.isAnnotationPresent(Observes.class)
                        || parameter.isAnnotationPresent(ObservesAsync.class))
                .map(parameter -> new ObserverMethodInfo(bean, method, parameter))
                .filter(ObserverMethodInfo::observesOutboxEvents)
                // Weld reports a method of a generic class although the bean overrides it
                .filter(observation -> !BusinessMethod.isOverridden(bean.getJavaClass(), method.getJavaMember()))
                .findFirst();
    }

    private boolean observesOutboxEvents() {
        return raw()
                || batch()
                || event.isAnnotationPresent(EventType.class)
                || ofAnyType()
                || EventTypes.nameOf(eventClass()).isPresent();
    }

    boolean raw() {
        return observed() == OutboxMessage.class;
    }

    boolean batch() {
        return classOf(parameter()) == EventBatch.class;
    }

    /** One event: the type of the parameter, or of what its batch consists of. */
    Type observed() {
        Type type = parameter();
        if (!batch()) {
            return type;
        }
        // raw, it consists of anything
        return type instanceof ParameterizedType generic
                ? asSetByBean(generic.getActualTypeArguments()[0])
                : Object.class;
    }

    private Type parameter() {
        return asSetByBean(event.getBaseType());
    }

    /** A method that the bean inherits from a generic class has the type variables of that class. */
    private Type asSetByBean(Type type) {
        if (!(type instanceof TypeVariable<?> variable)) {
            return type;
        }
        return bean.getTypeClosure().stream()
                .filter(ParameterizedType.class::isInstance)
                .map(ParameterizedType.class::cast)
                .filter(each -> each.getRawType() == variable.getGenericDeclaration())
                .map(each -> each.getActualTypeArguments()[parameters(each).indexOf(variable)])
                .findFirst()
                .orElse(type);
    }

    private static List<? extends TypeVariable<?>> parameters(ParameterizedType type) {
        return List.of(((Class<?>) type.getRawType()).getTypeParameters());
    }

    /** Whether it has a parameter of this type besides the event. */
    boolean takes(Class<?> type) {
        return method.getParameters().stream()
                .anyMatch(parameter -> parameter != event && parameter.getBaseType() == type);
    }

    boolean ofAnyType() {
        return event.isAnnotationPresent(AnyEvent.class);
    }

    boolean async() {
        return event.isAnnotationPresent(ObservesAsync.class);
    }

    Class<?> eventClass() {
        return classOf(observed());
    }

    private static Class<?> classOf(Type type) {
        return type instanceof Class<?> exact
                ? exact
                : type instanceof ParameterizedType generic ? (Class<?>) generic.getRawType() : Object.class;
    }

    Class<?> beanClass() {
        return bean.getJavaClass();
    }

    Method javaMethod() {
        return method.getJavaMember();
    }

    boolean isStatic() {
        return Modifier.isStatic(javaMethod().getModifiers());
    }

    /** Interception needs a subclass that overrides the method. */
    boolean canBeIntercepted() {
        int method = javaMethod().getModifiers();
        return !Modifier.isPrivate(method)
                && !Modifier.isFinal(method | beanClass().getModifiers())
                && !isStatic()
                && !(isGeneric() && BusinessMethod.hasBridge(beanClass(), javaMethod()));
    }

    /** Weld leaves such a method alone if a public class inherits it from a class that is not public. */
    private boolean isGeneric() {
        return Stream.of(javaMethod().getGenericParameterTypes()).anyMatch(TypeVariable.class::isInstance);
    }

    boolean onSessionBean() {
        return SESSION_BEANS.stream().anyMatch(name -> Annotations.has(bean, name));
    }

    boolean managesOwnTransactions() {
        return Annotations.find(bean, "jakarta.ejb.TransactionManagement")
                .map(Annotations::value)
                .filter("BEAN"::equals)
                .isPresent();
    }

    /** Only for session beans: whether a transaction of the caller is not in force in the method. */
    boolean suspendsTransactions() {
        return managesOwnTransactions() || Set.of("NOT_SUPPORTED", "NEVER").contains(transactionAttribute());
    }

    /** A class's attribute applies to the methods that this class declares. */
    String transactionAttribute() {
        return Annotations.find(method, TRANSACTION_ATTRIBUTE)
                .or(() -> Annotations.onDeclaringClass(bean, method, TRANSACTION_ATTRIBUTE))
                .map(Annotations::value)
                .orElse("REQUIRED");
    }

    Optional<Transactional.TxType> transactional(BeanManager beans) {
        return Stream.of(
                        Stream.ofNullable(method.getAnnotation(Transactional.class)),
                        Stream.ofNullable(bean.getAnnotation(Transactional.class)),
                        bean.getAnnotations().stream().flatMap(annotation -> ofStereotype(annotation, beans)))
                .flatMap(found -> found)
                .findFirst()
                .map(Transactional::value);
    }

    private static Stream<Transactional> ofStereotype(Annotation annotation, BeanManager beans) {
        if (!beans.isStereotype(annotation.annotationType())) {
            return Stream.empty();
        }
        return beans.getStereotypeDefinition(annotation.annotationType()).stream()
                .filter(Transactional.class::isInstance)
                .map(Transactional.class::cast);
    }

    /** Whether Fault Tolerance may call it several times in one delivery. */
    boolean isRetried() {
        return onMethodOrClass("org.eclipse.microprofile.faulttolerance.Retry").isPresent();
    }

    /** The method's own annotation, otherwise that of its class. */
    Optional<Annotation> onMethodOrClass(String annotation) {
        return Annotations.find(method, annotation).or(() -> Annotations.find(bean, annotation));
    }

    /** The same, otherwise that of the class that declares the method: not all annotations are inherited. */
    Optional<Annotation> onMethodOrAnyClass(String annotation) {
        return onMethodOrClass(annotation).or(() -> Annotations.onDeclaringClass(bean, method, annotation));
    }

    /** The method's name in messages: {@code shop.Warehouse.ship(OrderPlaced)}. */
    @Override
    public String toString() {
        return beanClass().getName() + "." + javaMethod().getName() + "("
                + (batch()
                        ? "EventBatch<" + eventClass().getSimpleName() + ">"
                        : eventClass().getSimpleName()) + ")";
    }
}
