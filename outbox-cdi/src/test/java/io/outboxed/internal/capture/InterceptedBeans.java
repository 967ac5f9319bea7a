package io.outboxed.internal.capture;

import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;

/** Beans of a test, with the interceptors and an outbox of their own. */
final class InterceptedBeans implements AutoCloseable {
    final CaptureFixture door = ProducedOutbox.renew();
    private final WeldContainer container;

    InterceptedBeans(Class<?>... beans) {
        container = new Weld()
                .disableDiscovery()
                .addBeanClasses(ProducedOutbox.class, OutboxedInterceptor.class, SerializedInterceptor.class)
                .addBeanClasses(beans)
                .initialize();
    }

    <T> T bean(Class<T> type) {
        return container.select(type).get();
    }

    @Override
    public void close() {
        container.close();
        door.transaction.rollback();
    }
}
