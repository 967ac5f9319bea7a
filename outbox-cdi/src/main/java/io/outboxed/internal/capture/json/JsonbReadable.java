package io.outboxed.internal.capture.json;

import io.outboxed.spi.PayloadCodec;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.json.bind.annotation.JsonbCreator;
import jakarta.json.bind.annotation.JsonbTypeAdapter;
import jakarta.json.bind.annotation.JsonbTypeDeserializer;
import jakarta.json.bind.annotation.JsonbTypeInfo;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Modifier;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Whether JSON-B can make an object of a class, as far as that is known before there is one. */
public final class JsonbReadable {
    /** They name the class to create, or who creates it. */
    private static final Set<String> READERS = Set.of(
            JsonbTypeInfo.class.getName(), JsonbTypeDeserializer.class.getName(), JsonbTypeAdapter.class.getName());

    /** Yasson reads the second one too. It is in a module that an application may lack. */
    private static final Set<String> CREATORS =
            Set.of(JsonbCreator.class.getName(), "java.beans.ConstructorProperties");

    private JsonbReadable() {}

    /** Whether the application has no codec of its own. */
    public static boolean isDefault(BeanManager manager) {
        Set<Bean<?>> codecs = manager.getBeans(PayloadCodec.class);
        return codecs.size() == 1 && codecs.iterator().next().getBeanClass() == JsonbPayloadCodec.class;
    }

    /** What JSON-B misses: https://jakarta.ee/specifications/jsonb/3.0/jakarta-jsonb-spec-3.0#java-class */
    public static Optional<String> obstacle(Class<?> type) {
        if (isReadByAnother(type)) {
            return Optional.empty();
        }
        if (!isAccessible(type)) {
            return Optional.of("is not public");
        }
        if (type.isEnum() || hasCreator(type)) {
            return Optional.empty();
        }
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            return Optional.of(type.isInterface() ? "is an interface" : "is abstract");
        }
        if (type.isRecord()) {
            return type.getDeclaredConstructors().length == 1
                    ? Optional.empty()
                    : Optional.of("has several constructors");
        }
        return hasPlainConstructor(type)
                ? Optional.empty()
                : Optional.of("has no public or protected constructor without parameters");
    }

    private static boolean isReadByAnother(Class<?> type) {
        return type != null
                && (isAnnotated(type, READERS)
                        || isReadByAnother(type.getSuperclass())
                        || Stream.of(type.getInterfaces()).anyMatch(JsonbReadable::isReadByAnother));
    }

    /** The constructor of a record is as accessible as its class, and has to be public. */
    private static boolean isAccessible(Class<?> type) {
        return Modifier.isPublic(type.getModifiers()) || Modifier.isProtected(type.getModifiers()) && !type.isRecord();
    }

    private static boolean hasCreator(Class<?> type) {
        return Stream.concat(Stream.of(type.getDeclaredConstructors()), Stream.of(type.getDeclaredMethods()))
                .anyMatch(each -> isAnnotated(each, CREATORS));
    }

    private static boolean hasPlainConstructor(Class<?> type) {
        return Stream.of(type.getDeclaredConstructors())
                .filter(each -> Modifier.isPublic(each.getModifiers()) || Modifier.isProtected(each.getModifiers()))
                .anyMatch(each -> each.getParameterCount() == 0);
    }

    /** Directly, or by an annotation of the application. */
    private static boolean isAnnotated(AnnotatedElement element, Set<String> names) {
        return Stream.of(element.getAnnotations())
                .map(Annotation::annotationType)
                .flatMap(each -> Stream.concat(
                        Stream.of(each), Stream.of(each.getAnnotations()).map(Annotation::annotationType)))
                .anyMatch(each -> names.contains(each.getName()));
    }
}
