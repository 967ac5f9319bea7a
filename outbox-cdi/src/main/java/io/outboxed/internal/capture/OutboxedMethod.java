package io.outboxed.internal.capture;

import io.outboxed.AggregateId;
import io.outboxed.OutboxException;
import io.outboxed.Payload;
import io.outboxed.PublishOptions;
import io.outboxed.internal.capture.event.IdText;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Finds out which values of a business method are its events, and which parameter names their aggregate. */
final class OutboxedMethod {
    private static final int NONE = -1;

    private static final Map<Method, OutboxedMethod> KNOWN = new ConcurrentHashMap<>();

    private final Method method;
    private final int payload;
    private final int aggregateId;

    static OutboxedMethod of(Method method) {
        return KNOWN.computeIfAbsent(method, OutboxedMethod::new);
    }

    private OutboxedMethod(Method method) {
        this.method = method;
        this.payload = parameterWith(Payload.class);
        this.aggregateId = parameterWith(AggregateId.class);
    }

    /** The events of a call that has returned. */
    List<Object> events(Object returned, Object[] arguments) {
        return EventExtractor.events(payload == NONE ? returned : arguments[payload], method);
    }

    /** An aggregate id given as a parameter overrides the one in the event. */
    PublishOptions options(Object[] arguments) {
        if (aggregateId == NONE) {
            return PublishOptions.none();
        }
        String text = IdText.of(arguments[aggregateId], "the @AggregateId parameter of " + MethodName.of(method));
        if (text == null || text.isEmpty()) {
            throw new OutboxException(
                    "OUTBOX-0106",
                    "the @AggregateId parameter of " + MethodName.of(method) + " is "
                            + (text == null ? "null" : "empty") + "; nothing was stored. Pass the aggregate's id");
        }
        return PublishOptions.none().aggregate(null, text);
    }

    private int parameterWith(Class<? extends Annotation> annotation) {
        Parameter[] parameters = method.getParameters();
        for (int i = 0; i < parameters.length; i++) {
            if (parameters[i].isAnnotationPresent(annotation)) {
                return i;
            }
        }
        return NONE;
    }
}
