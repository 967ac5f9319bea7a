package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.AggregateId;
import io.outboxed.EventType;
import io.outboxed.OutboxException;
import io.outboxed.Outboxed;
import io.outboxed.Payload;
import io.outboxed.internal.hibernate.OutboxRow;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Which events an {@code @Outboxed} method publishes: none, one or several. */
class OutboxedEventsTest {

    @EventType("order.placed")
    public record Placed(@AggregateId String id) {}

    @EventType("order.packed")
    public record Packed(@AggregateId String id, List<String> items) implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return items.iterator();
        }
    }

    @ApplicationScoped
    public static class Orders {
        @Outboxed
        public Object hand(Object value) {
            return value;
        }

        @Outboxed
        public void given(@AggregateId String order, @Payload Object value) {}

        @Outboxed
        public void ofValue(@AggregateId Object order, @Payload Placed event) {}
    }

    @AutoClose
    private final InterceptedBeans beans = new InterceptedBeans(Orders.class);

    private final CaptureFixture door = beans.door;
    private final Orders orders = beans.bean(Orders.class);

    @Test
    void one_none_and_several_are_stored_in_their_order() {
        door.transaction.begin();
        orders.hand(new Placed("1"));
        orders.hand(Optional.of(new Placed("2")));
        orders.hand(Optional.empty());
        orders.hand(List.of(new Placed("3"), new Placed("4")));
        orders.hand(List.of());
        orders.hand(Set.of(new Placed("5")));
        orders.hand(new Placed[] {new Placed("6"), new Placed("7")});
        orders.given("8", new Placed("x"));
        orders.given("9", List.of(new Placed("x"), new Placed("y")));
        door.transaction.commit();

        assertThat(door.written)
                .extracting(OutboxRow::aggregateId)
                .containsExactly("1", "2", "3", "4", "5", "6", "7", "8", "9", "9");
    }

    @Test
    void a_value_whose_class_has_an_event_type_is_one_event_even_if_it_is_iterable() {
        door.transaction.begin();
        orders.hand(new Packed("1", List.of()));
        orders.given("2", new Packed("x", List.of("tea", "cups")));
        orders.hand(List.of(new Packed("3", List.of("tea")), new Packed("4", List.of())));
        door.transaction.commit();

        assertThat(door.written)
                .extracting(OutboxRow::type, OutboxRow::aggregateId)
                .containsExactly(
                        tuple("order.packed", "1"),
                        tuple("order.packed", "2"),
                        tuple("order.packed", "3"),
                        tuple("order.packed", "4"));
    }

    @Test
    void null_and_null_inside_are_refused_and_the_method_is_named() {
        refused(() -> orders.hand(null))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0103 the @Outboxed method")
                .hasMessageContaining("Orders.hand(Object) supplied null")
                .hasMessageContaining("Optional.empty()");
        refused(() -> orders.hand(Arrays.asList(new Placed("1"), null)))
                .hasMessageContaining("2 events, and the one at index 1 is null");
        refused(() -> orders.given("1", null)).hasMessageContaining("supplied null");
        refused(() -> orders.given(null, new Placed("1")))
                .hasMessageStartingWith("OUTBOX-0106")
                .hasMessageContaining("given(String, Object) is null");
        refused(() -> orders.given("", new Placed("1"))).hasMessageStartingWith("OUTBOX-0106");
        refused(() -> orders.ofValue(
                        new Object() {
                            @Override
                            public String toString() {
                                return null;
                            }
                        },
                        new Placed("1")))
                .hasMessageContaining("ofValue(Object, Placed) is null");
        refused(() -> orders.ofValue(new Object(), new Placed("1")))
                .hasMessageStartingWith("OUTBOX-0149")
                .hasMessageContainingAll("ofValue(Object, Placed) can't be used", "a java.lang.Object");
    }

    private AbstractThrowableAssert<?, ? extends Throwable> refused(ThrowingCallable call) {
        door.transaction.begin();
        try {
            return assertThatThrownBy(call);
        } finally {
            door.transaction.rollback();
        }
    }
}
