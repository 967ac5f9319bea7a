package io.outboxed.internal.capture.check;

import io.outboxed.internal.capture.event.EventTypes;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Optional;

/** Finds the event class in a declared type: {@code OrderPlaced} in {@code List<? extends OrderPlaced>}. */
final class DeclaredEvent {

    private DeclaredEvent() {}

    static Class<?> of(Type declared) {
        if (declared instanceof ParameterizedType generic) {
            Class<?> raw = (Class<?>) generic.getRawType();
            if (!isContainer(raw)) {
                return raw;
            }
            // of several type arguments, it is not known which one is that of the elements
            return generic.getActualTypeArguments().length == 1
                    ? erased(generic.getActualTypeArguments()[0])
                    : Object.class;
        }
        if (declared instanceof GenericArrayType array) {
            return erased(array.getGenericComponentType());
        }
        Class<?> plain = erased(declared);
        if (plain.isArray() && !plain.getComponentType().isPrimitive()) {
            return plain.getComponentType();
        }
        return isContainer(plain) ? Object.class : plain;
    }

    private static boolean isContainer(Class<?> type) {
        return type == Optional.class || Iterable.class.isAssignableFrom(type) && !EventTypes.isEvent(type);
    }

    static Class<?> erased(Type type) {
        if (type instanceof Class<?> plain) {
            return plain;
        }
        if (type instanceof ParameterizedType generic) {
            return (Class<?>) generic.getRawType();
        }
        if (type instanceof WildcardType wildcard) {
            return erased(wildcard.getUpperBounds()[0]);
        }
        if (type instanceof TypeVariable<?> variable) {
            return erased(variable.getBounds()[0]);
        }
        return Object.class;
    }
}
