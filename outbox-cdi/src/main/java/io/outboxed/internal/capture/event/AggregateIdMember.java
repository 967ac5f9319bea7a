package io.outboxed.internal.capture.event;

import io.outboxed.AggregateId;
import io.outboxed.OutboxException;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Map;

/** The field, getter or record component that holds an event's aggregate id. */
final class AggregateIdMember {
    private final Member member;

    private AggregateIdMember(Member member) {
        this.member = member;
        try {
            ((AccessibleObject) member).setAccessible(true);
        } catch (InaccessibleObjectException e) {
            throw new OutboxException(
                    "OUTBOX-0107", "can't read the @AggregateId " + this + ": open its package to io.outboxed", e);
        }
    }

    /** Returns null if the class declares none. */
    static AggregateIdMember of(Class<?> eventClass) {
        Map<String, Member> found = new LinkedHashMap<>();
        if (eventClass.isRecord()) {
            components(eventClass, found);
        } else {
            fields(eventClass, found);
        }
        getters(eventClass, found);
        if (found.isEmpty()) {
            requireNoneOfAConstructor(eventClass);
        }
        if (found.size() > 1) {
            throw new OutboxException(
                    "OUTBOX-0107",
                    eventClass.getName() + " has " + found.size() + " @AggregateId ("
                            + String.join(", ", found.keySet())
                            + "): keep one; for an id with several parts, use one getter that joins them");
        }
        return found.isEmpty()
                ? null
                : new AggregateIdMember(found.values().iterator().next());
    }

    boolean isDeclaredBy(Class<?> eventClass) {
        return member.getDeclaringClass() == eventClass;
    }

    String name() {
        return member.getName();
    }

    Object read(Object event) {
        try {
            return member instanceof Method method ? method.invoke(event) : ((Field) member).get(event);
        } catch (InvocationTargetException e) {
            throw new OutboxException(
                    "OUTBOX-0107", "the @AggregateId " + this + " threw " + e.getCause(), e.getCause());
        } catch (IllegalAccessException e) {
            throw new OutboxException("OUTBOX-0107", "can't read the @AggregateId " + this, e);
        }
    }

    @Override
    public String toString() {
        return member.getDeclaringClass().getName() + "." + member.getName() + (member instanceof Method ? "()" : "");
    }

    /** An annotation on a record component is also on its field and its accessor; only the accessor counts. */
    private static void components(Class<?> eventClass, Map<String, Member> found) {
        for (RecordComponent component : eventClass.getRecordComponents()) {
            if (component.isAnnotationPresent(AggregateId.class)) {
                requireText(component.getType(), component.getAccessor());
                found.put(component.getName() + "()", component.getAccessor());
            }
        }
    }

    private static void fields(Class<?> eventClass, Map<String, Member> found) {
        for (Class<?> level = eventClass; level != null; level = level.getSuperclass()) {
            for (Field field : level.getDeclaredFields()) {
                if (marked(field)) {
                    require(!Modifier.isStatic(field.getModifiers()), field, "must not be static");
                    requireText(field.getType(), field);
                    found.putIfAbsent(field.getName(), field);
                }
            }
        }
    }

    private static void getters(Class<?> type, Map<String, Member> found) {
        if (type == null) {
            return;
        }
        for (Method method : type.getDeclaredMethods()) {
            if (marked(method) && !method.isBridge()) {
                require(!Modifier.isStatic(method.getModifiers()), method, "must not be static");
                require(method.getParameterCount() == 0, method, "must not have parameters");
                require(method.getReturnType() != void.class, method, "must return the id");
                requireText(method.getReturnType(), method);
                found.putIfAbsent(method.getName() + "()", method);
            }
        }
        getters(type.getSuperclass(), found);
        for (Class<?> parent : type.getInterfaces()) {
            getters(parent, found);
        }
    }

    /** The annotation's target includes parameters, and Kotlin puts it there by default. */
    private static void requireNoneOfAConstructor(Class<?> eventClass) {
        for (Class<?> level = eventClass; level != null; level = level.getSuperclass()) {
            for (Constructor<?> constructor : level.getDeclaredConstructors()) {
                for (Parameter parameter : constructor.getParameters()) {
                    require(
                            constructor.isSynthetic() || !marked(parameter),
                            constructor,
                            "is on a parameter of a constructor, where it can't be read from an event: put it on the"
                                    + " field, getter or record component (in Kotlin @field:AggregateId)");
                }
            }
        }
    }

    private static boolean marked(AnnotatedElement element) {
        return element.isAnnotationPresent(AggregateId.class);
    }

    private static void requireText(Class<?> type, Member member) {
        require(!type.isArray(), member, "must not be an array: an equal one has another text");
    }

    private static void require(boolean fine, Member member, String rule) {
        if (!fine) {
            throw new OutboxException(
                    "OUTBOX-0107",
                    "the @AggregateId " + member.getDeclaringClass().getName() + "." + member.getName() + " " + rule);
        }
    }
}
