package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.AggregateId;
import io.outboxed.EventType;
import io.outboxed.OutboxException;
import io.outboxed.PublishOptions;
import io.outboxed.internal.capture.CaptureFixture.Placed;
import io.outboxed.internal.capture.CaptureFixture.Tick;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.hibernate.OutboxRow;
import io.outboxed.internal.store.LaneHash;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.proxy.LazyInitializer;
import org.junit.jupiter.api.Test;

class OutboxBeanTest {

    public record Nameless(String a) {}

    public static class NoText {
        @Override
        public String toString() {
            return null;
        }
    }

    /** Its text is that of {@code Object}. */
    public static class Sku {
        public String code = "a";
    }

    @EventType("moved")
    public record Moved(@AggregateId Object sku) {}

    public record Region(Sku sku, int no) {}

    @EventType("textless")
    public record Textless(@AggregateId NoText id) {}

    private final CaptureFixture door = new CaptureFixture();

    @Test
    void an_event_becomes_a_row_of_its_aggregates_lane() {
        door.registry.raise(7);

        OutboxRow row = door.stored(new Placed("o-1", new BigDecimal("1.10")));

        assertThat(row.type()).isEqualTo("order.placed");
        assertThat(row.aggregateType()).isEqualTo("order");
        assertThat(row.aggregateId()).isEqualTo("o-1");
        assertThat(row.lane()).isEqualTo(LaneHash.lane("order", "o-1"));
        assertThat(row.shard()).isEqualTo(LaneHash.shard(row.lane()));
        assertThat(row.payload()).isEqualTo("{\"orderId\":\"o-1\",\"price\":1.10}");
        assertThat(row.payloadBinary()).isNull();
        assertThat(row.payloadSize()).isEqualTo(row.payload().length());
        assertThat(row.headers()).isNull();
        assertThat(row.delayMicros()).isZero();
        assertThat(row.registryVersion()).isEqualTo(7);
        assertThat(row.id().version()).isEqualTo(7);
    }

    @EventType("order.changed")
    public interface Changed {}

    public record Renamed(String name) implements Changed {}

    public record Cancelled(String reason) implements Changed {}

    @Test
    void an_event_that_handlers_would_get_as_another_class_of_the_same_inherited_type_is_refused() {
        door.observed.put("order.changed", Renamed.class);

        door.refused(new Cancelled("late"), PublishOptions.none(), "OUTBOX-0147")
                .hasMessageContainingAll("Cancelled", "Renamed", "observe Changed");
        assertThat(door.stored(new Renamed("x")).type()).isEqualTo("order.changed");
        assertThat(door.stored(new Cancelled("late"), PublishOptions.none().type("order.changed")))
                .as("whoever names the type knows what it does")
                .isNotNull();
        door.observed.put("order.changed", Changed.class);
        assertThat(door.stored(new Cancelled("late")).payload()).contains("late");
    }

    @EventType("shape")
    public static class Shape {
        public String color = "red";
    }

    public static class Circle extends Shape {
        public int radius = 3;
    }

    @Test
    void an_event_that_handlers_would_get_as_its_subclass_is_refused() {
        door.observed.put("shape", Circle.class);

        door.refused(new Shape(), PublishOptions.none(), "OUTBOX-0147")
                .hasMessageContainingAll("Shape", "Circle", "observe Shape");
        assertThat(door.stored(new Circle()).payload()).contains("radius");
    }

    @EventType("account.changed")
    public static class Account {
        @AggregateId
        private long number;

        public long getNumber() {
            return number;
        }

        public void setNumber(long number) {
            this.number = number;
        }
    }

    /** As Hibernate generates one for a lazy association. */
    public static final class LazyAccount extends Account implements HibernateProxy {
        private static final long serialVersionUID = 1L;

        @Override
        public LazyInitializer getHibernateLazyInitializer() {
            Account loaded = new Account();
            loaded.setNumber(7);
            return (LazyInitializer) Proxy.newProxyInstance(
                    LazyInitializer.class.getClassLoader(),
                    new Class<?>[] {LazyInitializer.class},
                    (proxy, method, arguments) -> loaded);
        }

        @Override
        public Object writeReplace() {
            return this;
        }
    }

    @Test
    void an_entity_that_is_loaded_lazily_has_its_own_aggregate() {
        OutboxRow row = door.stored(new LazyAccount());

        assertThat(row.aggregateId()).isEqualTo("7");
        assertThat(row.payload()).isEqualTo("{\"number\":7}");
    }

    @EventType("order.placed")
    public record PlacedAsBillingSeesIt(BigDecimal price) {}

    @Test
    void a_module_may_have_its_own_class_for_the_events_of_another() {
        door.observed.put("order.placed", PlacedAsBillingSeesIt.class);

        assertThat(door.stored(new Placed("o-1", BigDecimal.ONE)).type()).isEqualTo("order.placed");
    }

    @Test
    void publishing_before_the_handlers_are_registered_registers_them() {
        List<String> asked = new ArrayList<>();
        door.registrars.add(() -> {
            asked.add("register");
            door.registry.raise(5);
            return Optional.empty();
        });

        assertThat(door.stored(new Tick(1)).registryVersion()).isEqualTo(5);
        assertThat(door.stored(new Tick(2)).registryVersion()).isEqualTo(5);
        assertThat(asked).hasSize(1);
    }

    @Test
    void an_event_that_an_older_deployment_could_finish_without_the_new_handlers_is_refused() {
        RuntimeException cause = new IllegalStateException("the database is away");
        door.registrars.add(() -> Optional.of(cause));
        door.refused(new Tick(1), PublishOptions.none(), "OUTBOX-0116").hasCause(cause);

        door.registrars.set(0, () -> {
            throw cause;
        });
        door.refused(new Tick(1), PublishOptions.none(), "OUTBOX-0116").hasCause(cause);
    }

    @Test
    void without_a_relay_in_the_application_nothing_is_registered() {
        assertThat(door.stored(new Tick(1)).registryVersion()).isZero();
    }

    @Test
    void without_an_aggregate_each_event_has_a_lane_of_its_own() {
        OutboxRow one = door.stored(new Tick(1));
        OutboxRow two = door.stored(new Tick(1));

        assertThat(one.aggregateType()).isEmpty();
        assertThat(one.lane()).isEqualTo(LaneHash.lane(one.id()));
        assertThat(two.lane()).isNotEqualTo(one.lane());
    }

    @Test
    void without_order_each_event_of_an_aggregate_has_a_lane_of_its_own_and_keeps_its_aggregate() {
        CaptureFixture unordered = new CaptureFixture(OutboxConfig.DEFAULTS.withOrder(OutboxConfig.Order.NONE));

        OutboxRow one = unordered.stored(new Placed("o-1", null));
        OutboxRow two = unordered.stored(new Placed("o-1", null));

        assertThat(List.of(one, two))
                .allMatch(row -> row.aggregateId().equals("o-1"))
                .allMatch(row -> row.lane() == LaneHash.lane(row.id()) && row.shard() == LaneHash.shard(row.lane()));
        assertThat(two.lane()).isNotEqualTo(one.lane());
    }

    @Test
    void options_override_the_class() {
        OutboxRow row = door.stored(
                new Placed("o-1", null),
                PublishOptions.none()
                        .type("order/placed:v2")
                        .aggregate("basket", 7)
                        .header("trace", "00-ab"));

        assertThat(row.type()).isEqualTo("order/placed:v2");
        assertThat(row.aggregateType()).isEqualTo("basket");
        assertThat(row.aggregateId()).isEqualTo("7");
        assertThat(row.headers()).isEqualTo("{\"trace\":\"00-ab\"}");
    }

    @Test
    void null_and_events_without_a_type_are_refused() {
        door.refused(null, PublishOptions.none(), "OUTBOX-0103");
        door.refused(new Nameless("x"), PublishOptions.none(), "OUTBOX-0104")
                .hasMessageContaining("Nameless")
                .hasMessageContaining("@EventType");
        door.refused("text", PublishOptions.none(), "OUTBOX-0104").hasMessageContaining("java.lang.String");
        door.refused(new byte[1], PublishOptions.none(), "OUTBOX-0104").hasMessageContaining("byte[]");
    }

    @Test
    void names_that_do_not_fit_are_refused() {
        String tooLong = "x".repeat(129);
        door.refused("t", PublishOptions.none().type("order placed"), "OUTBOX-0105");
        door.refused("t", PublishOptions.none().type(""), "OUTBOX-0105");
        door.refused("t", PublishOptions.none().type(tooLong), "OUTBOX-0105");
        door.refused(new Placed(tooLong, null), PublishOptions.none(), "OUTBOX-0105")
                .hasMessageContaining("129");
        door.refused(new Tick(1), PublishOptions.none().aggregate(tooLong, "1"), "OUTBOX-0105");
        assertThat(door.stored(new Placed("x".repeat(128), null)).aggregateId()).hasSize(128);
    }

    @Test
    void an_aggregate_id_that_is_null_or_empty_would_lose_the_order_and_is_refused() {
        door.refused(new Placed(null, null), PublishOptions.none(), "OUTBOX-0106")
                .hasMessageContaining("orderId()");
        door.refused(new Placed("", null), PublishOptions.none(), "OUTBOX-0106");
        door.refused(new Tick(1), PublishOptions.none().aggregate("order", ""), "OUTBOX-0106");
        door.refused(new Textless(new NoText()), PublishOptions.none(), "OUTBOX-0106")
                .hasMessageContaining("id()");
        door.refused(new Placed("declared", null), PublishOptions.none().aggregate(null, new NoText()), "OUTBOX-0106");
    }

    /** Equal ids would have different ones: their events would have no order. */
    @Test
    void an_aggregate_id_without_a_text_of_its_own_is_refused() {
        door.refused(new Moved(new Sku()), PublishOptions.none(), "OUTBOX-0149")
                .hasMessageContainingAll("OutboxBeanTest$Moved.sku()", "OutboxBeanTest$Sku");
        door.refused(new Moved(new byte[] {1}), PublishOptions.none(), "OUTBOX-0149")
                .hasMessageContaining("an array, byte[]");
        PublishOptions options = PublishOptions.none();
        assertThatThrownBy(() -> options.aggregate("item", new Sku()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("OutboxBeanTest$Sku");
        for (Object id : List.of(new Region(new Sku(), 7), List.of(new Sku()), Optional.of(new byte[0]))) {
            door.refused(new Moved(id), options, "OUTBOX-0149");
            assertThatThrownBy(() -> options.aggregate("item", id)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(door.stored(new Moved(List.of("bob@home", 7))).aggregateId()).isEqualTo("[bob@home, 7]");
        assertThat(door.stored(new Moved("bob@1b28cdfa")).aggregateId()).isEqualTo("bob@1b28cdfa");
    }

    @Test
    void an_aggregate_type_without_any_id_is_refused_as_well() {
        door.refused("{}", PublishOptions.none().type("scan.stored").aggregate("scan", null), "OUTBOX-0106")
                .hasMessageContaining("scan.stored");
        door.refused(new Tick(1), PublishOptions.none().aggregate("order", null), "OUTBOX-0106");

        assertThat(door.stored(new Placed("o-1", null), PublishOptions.none().aggregate("basket", null)))
                .satisfies(row -> assertThat(row.aggregateType()).isEqualTo("basket"))
                .satisfies(row -> assertThat(row.aggregateId()).isEqualTo("o-1"));
        assertThat(door.stored(new Tick(1), PublishOptions.none().aggregate(null, null))
                        .aggregateId())
                .isEmpty();
    }

    @Test
    void a_refused_event_leaves_the_transaction_and_its_other_events_alone() {
        door.transaction.begin();
        UUID kept = door.outbox.publish(new Tick(1));
        assertThatThrownBy(() -> door.outbox.publish(null)).isInstanceOf(OutboxException.class);

        door.transaction.commit();

        assertThat(door.written).extracting(OutboxRow::id).containsExactly(kept);
    }
}
