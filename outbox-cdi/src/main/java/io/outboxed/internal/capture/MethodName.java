package io.outboxed.internal.capture;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

/** A readable method name for messages: {@code shop.Orders.place(PlaceOrder)}. */
public final class MethodName {

    private MethodName() {}

    public static String of(Method method) {
        String parameters = Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
        return method.getDeclaringClass().getName() + "." + method.getName() + "(" + parameters + ")";
    }
}
