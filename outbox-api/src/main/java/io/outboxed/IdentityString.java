package io.outboxed;

import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds ids whose text is, or contains, that of {@link Object#toString()}, which identifies the object instead of its
 * value.
 */
final class IdentityString {
    /** Ids are flat; a collection may contain itself. */
    private static final int DEEPEST = 5;

    private IdentityString() {}

    /** @return the id, or the part of it, that has no text of its own */
    static Optional<Object> in(Object id, String text) {
        return text.indexOf('@') < 0 ? Optional.empty() : find(id, text, DEEPEST);
    }

    private static Optional<Object> find(Object id, String text, int depth) {
        if (id == null || depth == 0) {
            return Optional.empty();
        }
        String own = id.getClass().getName() + "@" + Integer.toHexString(id.hashCode());
        if (text.contains(own) && own.equals(id.toString())) {
            return Optional.of(id);
        }
        return parts(id).flatMap(part -> find(part, text, depth - 1).stream()).findFirst();
    }

    private static Stream<?> parts(Object id) {
        if (id instanceof Record) {
            return Arrays.stream(id.getClass().getRecordComponents()).map(component -> part(id, component));
        }
        if (id instanceof Collection<?> collection) {
            return collection.stream();
        }
        return id instanceof Optional<?> optional ? optional.stream() : Stream.empty();
    }

    /** @return null also if it can't be read */
    private static Object part(Object id, RecordComponent component) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(id);
        } catch (ReflectiveOperationException | InaccessibleObjectException e) {
            return null;
        }
    }
}
