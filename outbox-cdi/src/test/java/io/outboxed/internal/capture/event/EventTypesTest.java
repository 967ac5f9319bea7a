package io.outboxed.internal.capture.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.AggregateId;
import io.outboxed.EventType;
import io.outboxed.OutboxException;
import io.outboxed.internal.relay.Await;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EventTypesTest {

    @EventType("order.changed")
    interface Changed {
        @AggregateId
        UUID order();
    }

    record Renamed(UUID order, String name) implements Changed {}

    @EventType("order.line.added")
    static class Added {
        @AggregateId
        private final long id;

        Added(long id) {
            this.id = id;
        }
    }

    static class AddedTwice extends Added {
        AddedTwice(long id) {
            super(id);
        }
    }

    @EventType(value = "shipped", aggregate = "parcel")
    static class Shipped {
        @AggregateId
        String key() {
            return "a/b";
        }
    }

    @EventType("a.b")
    interface OneName {}

    @EventType("c.d")
    interface OtherName {}

    record TwoNames() implements OneName, OtherName {}

    record TwoIds(@AggregateId String a, @AggregateId String b) {}

    static class StaticId {
        @AggregateId
        static String id = "x";
    }

    static class IdWithParameter {
        @AggregateId
        String id(int n) {
            return "x" + n;
        }
    }

    record ArrayId(@AggregateId byte[] id) {}

    static class ArrayGetter {
        @AggregateId
        String[] id() {
            return new String[0];
        }
    }

    static class IdOfConstructor {
        final String order;

        IdOfConstructor(@AggregateId String order) {
            this.order = order;
        }
    }

    static class IdOfInheritedConstructor extends IdOfConstructor {
        IdOfInheritedConstructor(String order) {
            super(order);
        }
    }

    static class FailingId {
        @AggregateId
        String id() {
            throw new IllegalStateException("not yet");
        }
    }

    @Test
    void an_interface_may_name_type_and_id() {
        UUID order = UUID.randomUUID();

        EventDescriptor descriptor = EventTypes.of(Renamed.class);

        assertThat(descriptor.type()).isEqualTo("order.changed");
        assertThat(descriptor.namedBy()).isEqualTo(Changed.class);
        assertThat(descriptor.aggregateType()).isEqualTo("order");
        assertThat(descriptor.aggregateIdOf(new Renamed(order, "x"))).isEqualTo(order.toString());
    }

    @Test
    void a_superclass_may_name_type_and_id_and_the_aggregate_ends_at_the_last_dot() {
        EventDescriptor descriptor = EventTypes.of(AddedTwice.class);

        assertThat(descriptor.type()).isEqualTo("order.line.added");
        assertThat(descriptor.aggregateType()).isEqualTo("order.line");
        assertThat(descriptor.aggregateIdOf(new AddedTwice(42))).isEqualTo("42");
    }

    @Test
    void a_getter_may_have_the_id_and_the_annotation_the_aggregate() {
        EventDescriptor descriptor = EventTypes.of(Shipped.class);

        assertThat(descriptor.aggregateType()).isEqualTo("parcel");
        assertThat(descriptor.aggregateIdOf(new Shipped())).isEqualTo("a/b");
    }

    @Test
    void a_class_is_described_once() {
        assertThat(EventTypes.of(Shipped.class)).isSameAs(EventTypes.of(Shipped.class));
    }

    @Test
    void contradictions_name_their_members() {
        assertThatThrownBy(() -> EventTypes.of(TwoNames.class))
                .isInstanceOf(OutboxException.class)
                .hasMessageContaining("OneName")
                .hasMessageContaining("OtherName");
        assertThatThrownBy(() -> EventTypes.of(TwoIds.class)).hasMessageContaining("a(), b()");
        assertThatThrownBy(() -> EventTypes.of(StaticId.class)).hasMessageContaining("must not be static");
        assertThatThrownBy(() -> EventTypes.of(IdWithParameter.class)).hasMessageContaining("parameters");
        assertThatThrownBy(() -> EventTypes.of(ArrayId.class)).hasMessageContaining("must not be an array");
        assertThatThrownBy(() -> EventTypes.of(ArrayGetter.class)).hasMessageContaining("must not be an array");
        for (Class<?> type : List.of(IdOfConstructor.class, IdOfInheritedConstructor.class)) {
            assertThatThrownBy(() -> EventTypes.of(type))
                    .hasMessageStartingWith("OUTBOX-0107")
                    .hasMessageContaining("is on a parameter of a constructor");
        }
        assertThatThrownBy(() -> EventTypes.of(FailingId.class).aggregateIdOf(new FailingId()))
                .hasMessageStartingWith("OUTBOX-0107")
                .hasMessageContaining("FailingId.id()")
                .hasRootCauseMessage("not yet");
    }

    /** Publishing a text or bytes is common: what is known of String must not keep an undeployed application. */
    @Test
    void what_is_known_of_a_class_of_the_jdk_does_not_keep_the_classes_of_the_application() throws Exception {
        WeakReference<Class<?>> undeployed = describeAText();
        Await.until(
                "its classes are gone",
                Duration.ofSeconds(20),
                () -> {
                    System.gc();
                    return undeployed.get() == null;
                },
                () -> "something keeps them");
    }

    /** In an application of its own. */
    private static WeakReference<Class<?>> describeAText() throws Exception {
        URL[] application = Stream.of(EventTypes.class, EventType.class)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .toArray(URL[]::new);
        try (URLClassLoader loader = new URLClassLoader(application, ClassLoader.getPlatformClassLoader())) {
            Class<?> types = loader.loadClass(EventTypes.class.getName());
            types.getMethod("of", Class.class).invoke(null, String.class);
            return new WeakReference<>(types);
        }
    }
}
