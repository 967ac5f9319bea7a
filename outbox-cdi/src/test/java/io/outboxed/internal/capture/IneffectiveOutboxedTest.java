package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.AggregateId;
import io.outboxed.EventType;
import io.outboxed.Outbox;
import io.outboxed.Outboxed;
import io.outboxed.Payload;
import io.outboxed.internal.metrics.CapturedLog;
import jakarta.decorator.Decorator;
import jakarta.decorator.Delegate;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.InterceptionFactory;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.util.List;
import org.jboss.weld.environment.se.Weld;
import org.junit.jupiter.api.Test;

/** Where {@link Outboxed} is without effect and the deployment can see it, and where it must not say so. */
class IneffectiveOutboxedTest {

    @EventType("order.placed")
    public record Placed(@AggregateId String id) {}

    public interface Ordering {
        @Outboxed
        Placed place(String id);

        Placed look(String id);
    }

    @ApplicationScoped
    public static class OrdersOfInterface implements Ordering {
        @Override
        public Placed place(String id) {
            return new Placed(id);
        }

        @Override
        public Placed look(String id) {
            return null;
        }
    }

    @ApplicationScoped
    public static class OutboxedOrders implements Ordering {
        @Override
        @Outboxed
        public Placed place(String id) {
            return new Placed(id);
        }

        @Override
        public Placed look(String id) {
            return null;
        }
    }

    /** The annotation is on a method that only has the same name. */
    @ApplicationScoped
    public static class OverloadedOrders extends OrdersOfInterface {
        @Outboxed
        public Placed place(Integer id) {
            return new Placed(id.toString());
        }
    }

    @Decorator
    public abstract static class Decorating implements Ordering {
        @Inject
        @Delegate
        OutboxedOrders orders;

        @Override
        public Placed place(String id) {
            return orders.place(id);
        }
    }

    @Outboxed
    public interface Placing<E> {
        void place(@Payload E event);
    }

    @Dependent
    public static class PlacingOrders implements Placing<Placed> {
        @Override
        public void place(Placed event) {}
    }

    @Dependent
    @Outboxed
    public static class OutboxedPlacing implements Placing<Placed> {
        @Override
        public void place(@Payload Placed event) {}
    }

    public static class NoScope {
        @Outboxed
        public Placed place(String id) {
            return new Placed(id);
        }
    }

    public static class Unconcerned {
        public Placed place(String id) {
            return new Placed(id);
        }
    }

    @Dependent
    public static class Factory {
        @Produces
        NoScope orders() {
            return new NoScope();
        }

        @Produces
        Unconcerned unconcerned() {
            return new Unconcerned();
        }

        @Produces
        Placed event() {
            return null;
        }
    }

    @Dependent
    public static class FactoryWithField {
        @Produces
        NoScope orders = new NoScope();
    }

    @Dependent
    public static class InterceptingFactory {
        @Produces
        NoScope orders(InterceptionFactory<NoScope> interceptors) {
            return interceptors.createInterceptedInstance(new NoScope());
        }
    }

    @ApplicationScoped
    public static class Bean extends NoScope {}

    @Dependent
    public static class Renaming {
        @Produces
        @Named("primary")
        NoScope orders(Bean bean) {
            return bean;
        }
    }

    public static class Replacing implements Extension {
        void add(@Observes AfterBeanDiscovery discovery, BeanManager manager) {
            discovery
                    .<NoScope>addBean()
                    .read(manager.createAnnotatedType(NoScope.class))
                    .beanClass(Replacing.class);
        }
    }

    @ApplicationScoped
    public static class WithoutInject {
        WithoutInject(String table) {
            assertThat(table).isNotNull();
        }

        @Outboxed
        public Placed place(String id) {
            return new Placed(id);
        }
    }

    @ApplicationScoped
    public static class Injected {
        @Inject
        Injected(BeanManager manager) {
            assertThat(manager).isNotNull();
        }

        Injected() {}

        @Outboxed
        public Placed place(String id) {
            return new Placed(id);
        }
    }

    @Dependent
    public class Inner {
        @Outboxed
        public Placed place(String id) {
            return new Placed(id);
        }
    }

    @Alternative
    @ApplicationScoped
    public static class NotSelected extends NoScope {}

    @Dependent
    public abstract static class Base {
        @Outboxed
        public Placed place(String id) {
            return new Placed(id);
        }
    }

    @ApplicationScoped
    public static class Publishing {
        @Inject
        Instance<Outbox> outbox;

        public void place(String id) {
            outbox.get().publish(new Placed(id));
        }
    }

    @Test
    void an_interface_whose_annotation_does_not_reach_the_bean_is_named() {
        assertThat(warnings(OrdersOfInterface.class))
                .singleElement()
                .asString()
                .startsWith("WARNING OUTBOX-0192 @Outboxed on the interface method " + Ordering.class.getName()
                        + ".place(String) has no effect on its implementation in " + OrdersOfInterface.class.getName());
        assertThat(warnings(PlacingOrders.class))
                .singleElement()
                .asString()
                .contains("OUTBOX-0192", Placing.class.getName() + ".place(Object)", PlacingOrders.class.getName());
    }

    @Test
    void an_overload_with_the_annotation_does_not_excuse_the_method_of_the_interface() {
        assertThat(warnings(OverloadedOrders.class))
                .singleElement()
                .asString()
                .contains("OUTBOX-0192", Ordering.class.getName() + ".place(String)", OverloadedOrders.class.getName());
    }

    @Test
    void a_bean_that_repeats_the_annotation_of_its_interface_is_not_named() {
        assertThat(warnings(OutboxedOrders.class, OutboxedPlacing.class)).isEmpty();
    }

    @Test
    void a_decorator_is_not_named() {
        assertThat(warnings(weld(OutboxedOrders.class, Decorating.class).addDecorator(Decorating.class)))
                .isEmpty();
    }

    @Test
    void a_class_that_a_producer_creates_is_named_with_the_producer() {
        assertThat(warnings(Factory.class))
                .singleElement()
                .asString()
                .startsWith("WARNING OUTBOX-0193 @Outboxed in " + NoScope.class.getName() + " has no effect")
                .contains("it is created by " + Factory.class.getName() + ".orders()");
        assertThat(warnings(FactoryWithField.class))
                .singleElement()
                .asString()
                .contains("OUTBOX-0193", "it is created by " + FactoryWithField.class.getName() + ".orders");
    }

    @Test
    void a_producer_that_applies_interceptors_or_returns_a_bean_is_not_named() {
        assertThat(warnings(InterceptingFactory.class)).isEmpty();
        assertThat(warnings(Bean.class, Renaming.class)).isEmpty();
    }

    @Test
    void a_class_of_a_bean_that_an_extension_adds_is_not_named() {
        assertThat(warnings(weld(Factory.class).addExtension(new Replacing()))).isEmpty();
    }

    @Test
    void a_class_that_the_container_cannot_create_is_named() {
        assertThat(warnings(WithoutInject.class))
                .singleElement()
                .asString()
                .contains(
                        "OUTBOX-0193",
                        WithoutInject.class.getName(),
                        "it has neither a constructor without parameters nor one with @Inject");
        assertThat(warnings(Inner.class))
                .singleElement()
                .asString()
                .contains("OUTBOX-0193", Inner.class.getName(), "it is an inner class that is not static");
    }

    @Test
    void what_works_or_is_not_in_use_is_not_named() {
        assertThat(warnings(Injected.class, NotSelected.class, Base.class, Publishing.class))
                .isEmpty();
    }

    private static List<String> warnings(Class<?>... beans) {
        return warnings(weld(beans));
    }

    private static List<String> warnings(Weld weld) {
        try (CapturedLog log = new CapturedLog()) {
            weld.initialize().close();
            return List.copyOf(log.lines);
        }
    }

    private static Weld weld(Class<?>... beans) {
        return WeldDeployment.weld(beans);
    }
}
