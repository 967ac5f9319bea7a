package io.outboxed.internal.inbox;

import io.outboxed.Idempotent;
import io.outboxed.OutboxException;
import io.outboxed.OutboxMessage;
import io.outboxed.internal.capture.MethodName;
import io.outboxed.internal.capture.event.IdText;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Intercepted;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;

/**
 * Skips a call that was made before. The priority puts it inside {@code @Transactional} (200), Fault Tolerance (4010)
 * and the transaction of a delivery (4020), and outside {@code @Outboxed} (4030): a skipped call publishes no event.
 */
@Idempotent
@Interceptor
@Priority(Interceptor.Priority.PLATFORM_AFTER + 25)
public class IdempotentInterceptor implements Serializable {
    private static final long serialVersionUID = 1L;

    @Inject
    TransactionalInbox inbox;

    @Inject
    Instance<OutboxMessage> delivered;

    /** Null if the container intercepts something that is no bean. */
    @Inject
    @Intercepted
    Bean<?> bean;

    @AroundInvoke
    Object once(InvocationContext call) throws Exception {
        return inbox.call(id(call), receiver(beanClass(call), call.getMethod()), call::proceed);
    }

    private Class<?> beanClass(InvocationContext call) {
        return bean == null ? call.getMethod().getDeclaringClass() : bean.getBeanClass();
    }

    private String id(InvocationContext call) {
        Parameter[] parameters = call.getMethod().getParameters();
        for (int i = 0; i < parameters.length; i++) {
            if (parameters[i].isAnnotationPresent(Idempotent.Id.class)) {
                return given(call.getMethod(), call.getParameters()[i]);
            }
        }
        return delivered(call.getMethod());
    }

    private String delivered(Method method) {
        try (Instance.Handle<OutboxMessage> message = delivered.getHandle()) {
            return message.get().id().toString();
        } catch (OutboxException e) {
            throw new OutboxException(
                    "OUTBOX-0144",
                    MethodName.of(method) + " was called outside a delivery of a single event, on thread "
                            + Thread.currentThread().getName()
                            + ", so there is no message id, and it was not run. Put @Idempotent.Id on the parameter"
                            + " that contains the id",
                    e);
        }
    }

    private static String given(Method method, Object id) {
        if (id instanceof OutboxMessage message) {
            // its toString() contains the number of the attempt
            return message.id().toString();
        }
        String text = IdText.of(id, "the @Idempotent.Id argument of " + MethodName.of(method));
        if (text == null) {
            throw new OutboxException(
                    "OUTBOX-0144",
                    "the @Idempotent.Id argument of " + MethodName.of(method)
                            + " is null, or its toString() is, so a repeated call could not be recognised; the method"
                            + " was not run. Pass a value");
        }
        return text;
    }

    /** By default the bean's method: beans that inherit one method are different receivers. */
    static String receiver(Class<?> bean, Method method) {
        return isGiven(method)
                ? method.getAnnotation(Idempotent.class).receiver()
                : bean.getName() + "#" + method.getName();
    }

    static boolean isGiven(Method method) {
        Idempotent annotation = method.getAnnotation(Idempotent.class);
        return annotation != null && !annotation.receiver().isEmpty();
    }
}
