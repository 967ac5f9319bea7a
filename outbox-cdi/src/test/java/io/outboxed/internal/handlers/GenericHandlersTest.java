package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.EventBatch;
import io.outboxed.EventType;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.SilentLog;
import io.outboxed.internal.store.HandlerKey;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Observers that a bean inherits from a generic class, whose type variable it sets. */
@ExtendWith(SilentLog.class)
class GenericHandlersTest {

    @EventType("order.placed")
    record Placed(String order) {}

    @EventType("item.moved")
    record Moved(String item) {}

    abstract static class Projection<K, E> {
        private final List<Object> seen = new CopyOnWriteArrayList<>();

        void project(@Observes E event) {
            seen.add(event);
        }

        List<Object> seen() {
            return seen;
        }
    }

    abstract static class KeyedProjection<E> extends Projection<String, E> {}

    @ApplicationScoped
    static class Orders extends KeyedProjection<Placed> {}

    @ApplicationScoped
    static class Stock extends Projection<Long, Moved> {}

    abstract static class Template<E> {
        abstract void handle(@Observes E event);
    }

    @ApplicationScoped
    static class Overriding extends Template<Placed> {
        private final List<Placed> seen = new CopyOnWriteArrayList<>();

        @Override
        void handle(@Observes Placed event) {
            seen.add(event);
        }

        List<Placed> seen() {
            return seen;
        }
    }

    abstract static class PublicProjection<E> {
        public void project(@Observes E event) {}
    }

    @ApplicationScoped
    public static class PublicOrders extends PublicProjection<Placed> {}

    abstract static class Mailing {
        public void mail(@Observes Placed event) {}
    }

    @ApplicationScoped
    public static class PublicMailer extends Mailing {}

    abstract static class BatchProjection<E> {
        void project(@Observes EventBatch<E> batch) {}
    }

    @ApplicationScoped
    static class Batches extends BatchProjection<Moved> {}

    @Test
    void each_bean_handles_the_class_that_it_names() {
        try (Deployment deployment = Deployment.of(Orders.class, Stock.class)) {
            assertThat(deployment.deliveries().all())
                    .containsExactlyInAnyOrder(
                            new HandlerKey("order.placed", "Orders.project"),
                            new HandlerKey("item.moved", "Stock.project"));
            assertThat(deployment.deliver("order.placed", "Orders.project", "o-1"))
                    .isEqualTo(new Outcome.Done(true));
            assertThat(deployment.get(Orders.class).seen()).containsExactly(new Placed("o-1"));
            assertThat(deployment.get(Stock.class).seen()).isEmpty();
        }
    }

    @Test
    void an_event_that_the_application_fires_reaches_it_too() {
        try (Deployment deployment = Deployment.of(Orders.class, Stock.class)) {
            deployment.fire(new Placed("o-2"));

            assertThat(deployment.get(Orders.class).seen()).containsExactly(new Placed("o-2"));
            assertThat(deployment.get(Stock.class).seen()).isEmpty();
        }
    }

    /** Weld takes the method of the generic class for a second observer, because its parameters are others. */
    @Test
    void one_that_the_bean_overrides_is_one_handler() {
        try (Deployment deployment = Deployment.of(Overriding.class)) {
            assertThat(deployment.deliveries().all())
                    .containsExactly(new HandlerKey("order.placed", "Overriding.handle"));

            assertThat(deployment.deliver("order.placed", "Overriding.handle", "o-1"))
                    .isEqualTo(new Outcome.Done(true));
            assertThat(deployment.get(Overriding.class).seen()).containsExactly(new Placed("o-1"));
        }
    }

    /** The compiler adds a method with the same parameters to such a bean, which only passes the call on. */
    @Test
    void a_public_bean_has_the_public_observers_of_a_class_that_is_not_public() {
        try (Deployment deployment = Deployment.of(PublicOrders.class, PublicMailer.class)) {
            assertThat(deployment.deliveries().all())
                    .containsExactlyInAnyOrder(
                            new HandlerKey("order.placed", "PublicOrders.project"),
                            new HandlerKey("order.placed", "PublicMailer.mail"));
            assertThat(deployment.deliveries().all())
                    .allSatisfy(key -> assertThat(deployment.deliver("order.placed", key.handler(), "o-1"))
                            .as("whether its transaction completes the delivery of %s", key)
                            .isEqualTo(new Outcome.Done(true)));
        }
    }

    @Test
    void a_batch_of_the_class_too() {
        try (Deployment deployment = Deployment.of(Batches.class)) {
            HandlerKey key = new HandlerKey("item.moved", "Batches.project");
            assertThat(deployment.deliveries().all()).containsExactly(key);
            assertThat(deployment.deliveries().mode(key)).isEqualTo(HandlerMode.BATCHED);
        }
    }
}
