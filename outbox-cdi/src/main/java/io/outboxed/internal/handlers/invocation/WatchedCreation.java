package io.outboxed.internal.handlers.invocation;

import jakarta.enterprise.context.ContextNotActiveException;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.spi.InjectionPoint;
import jakarta.enterprise.inject.spi.InjectionTarget;
import java.util.Set;

/** Tells the running delivery whether an instance of a handler's bean was created. */
public final class WatchedCreation<T> implements InjectionTarget<T> {
    private final Class<T> type;
    private final InjectionTarget<T> target;

    /** @param target creates the instances */
    public WatchedCreation(Class<T> type, InjectionTarget<T> target) {
        this.type = type;
        this.target = target;
    }

    @Override
    public T produce(CreationalContext<T> context) {
        try {
            return target.produce(context);
        } catch (ContextNotActiveException e) {
            throw told(e);
        }
    }

    @Override
    public void inject(T instance, CreationalContext<T> context) {
        try {
            target.inject(instance, context);
        } catch (ContextNotActiveException e) {
            throw told(e);
        }
    }

    @Override
    public void postConstruct(T instance) {
        try {
            target.postConstruct(instance);
        } catch (ContextNotActiveException e) {
            throw told(e);
        }
        CurrentDelivery delivery = CurrentDelivery.get();
        if (delivery != null) {
            delivery.bean().created(type);
        }
    }

    private ContextNotActiveException told(ContextNotActiveException e) {
        CurrentDelivery delivery = CurrentDelivery.get();
        if (delivery != null) {
            delivery.bean().failed(type, e);
        }
        return e;
    }

    @Override
    public void preDestroy(T instance) {
        target.preDestroy(instance);
    }

    @Override
    public void dispose(T instance) {
        target.dispose(instance);
    }

    @Override
    public Set<InjectionPoint> getInjectionPoints() {
        return target.getInjectionPoints();
    }
}
