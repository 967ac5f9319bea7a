package io.outboxed.internal.handlers.invocation;

import io.outboxed.OutboxException;
import jakarta.enterprise.context.ContextNotActiveException;
import jakarta.enterprise.context.spi.Context;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;

/**
 * The instance of a bean that a handler is called on. If it can't be had because a context is not active, that of the
 * bean or one that is used while the bean is created, Weld skips the observer and reports nothing: the delivery would
 * count as done.
 */
final class BeanInstance {
    private final Handler handler;
    private boolean created;
    private ContextNotActiveException failure;

    BeanInstance(Handler handler) {
        this.handler = handler;
    }

    /** To be called before the observer is notified: afterwards the bean's context has an instance. */
    void prepare(BeanManager beans) {
        if (handler.instance() == InstanceKind.OF_SCOPE) {
            try {
                get(handler.observer().getDeclaringBean(), beans);
            } catch (ContextNotActiveException e) {
                throw notCalled(e);
            }
        }
    }

    private static <T> void get(Bean<T> bean, BeanManager beans) {
        Context context = beans.getContext(bean.getScope());
        if (context.get(bean) == null) {
            context.get(bean, beans.createCreationalContext(bean));
        }
    }

    /** To be called when the observer has been notified. */
    void requireCreated() {
        if (handler.instance() == InstanceKind.OF_CALL && !created) {
            throw notCalled(failure);
        }
    }

    /** An instance of this class was created during the delivery. */
    void created(Class<?> type) {
        created |= type == handler.observer().getBeanClass();
    }

    /** An instance of this class could not be created during the delivery. */
    void failed(Class<?> type, ContextNotActiveException e) {
        if (type == handler.observer().getBeanClass()) {
            failure = e;
        }
    }

    private OutboxException notCalled(ContextNotActiveException cause) {
        return new OutboxException(
                "OUTBOX-0549",
                handler.key().handler() + " was not called, because its bean can't be created"
                        + (cause == null ? "" : " (" + cause.getMessage() + ")")
                        + ": its scope, or one that its constructor, initializers or @PostConstruct method use, is not"
                        + " active on a thread of the relay. This counts as a failure and nothing is stored. Use"
                        + " application and request scoped beans there",
                cause);
    }
}
