package io.outboxed.rest;

import jakarta.json.bind.config.PropertyVisibilityStrategy;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/** An answer is made of the components of records. Yasson would also write what their other methods return. */
final class ComponentsOnly implements PropertyVisibilityStrategy {

    @Override
    public boolean isVisible(Field field) {
        return false;
    }

    @Override
    public boolean isVisible(Method method) {
        return method.getDeclaringClass().isRecord()
                && Arrays.stream(method.getDeclaringClass().getRecordComponents())
                        .map(RecordComponent::getAccessor)
                        .anyMatch(method::equals);
    }
}
