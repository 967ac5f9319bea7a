package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outboxed.AggregateId;
import io.outboxed.EventType;
import io.outboxed.OutboxException;
import io.outboxed.Outboxed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.SessionScoped;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class SerializedInterceptorTest {

    @EventType("order.placed")
    public record Placed(@AggregateId String id) {}

    @ApplicationScoped
    public static class Orders {
        private final List<String> lockedBefore = new ArrayList<>();
        private final List<String> called = new ArrayList<>();

        @Outboxed(serialize = true)
        public Placed place(@AggregateId String order) {
            called.add(order);
            lockedBefore.addAll(ProducedOutbox.current().locked);
            return new Placed(order);
        }

        @Outboxed
        public Placed placeUnserialized(@AggregateId String order) {
            return new Placed(order);
        }

        public List<String> lockedBefore() {
            return lockedBefore;
        }

        public List<String> called() {
            return called;
        }
    }

    @ApplicationScoped
    @Outboxed(serialize = true)
    public static class WholeClass {
        public Placed place(@AggregateId Integer order) {
            return new Placed("x");
        }

        @Outboxed
        public Placed placeUnserialized(@AggregateId String order) {
            return new Placed(order);
        }
    }

    /** Deployed with interceptors that can be stored with it. */
    @SessionScoped
    public static class Basket implements Serializable {
        private static final long serialVersionUID = 1L;

        @Outboxed(serialize = true)
        public Placed place(@AggregateId String order) {
            return new Placed(order);
        }

        @Outboxed
        public Placed placeUnserialized(@AggregateId String order) {
            return new Placed(order);
        }
    }

    @AutoClose
    private final InterceptedBeans beans = new InterceptedBeans(Orders.class, WholeClass.class, Basket.class);

    private final CaptureFixture door = beans.door;
    private final Orders orders = beans.bean(Orders.class);

    @Test
    void the_aggregate_is_locked_before_the_method_is_called_and_its_event_is_stored_once() {
        door.transaction.begin();
        orders.place("o-1");
        door.transaction.commit();

        assertThat(orders.lockedBefore()).containsExactly("o-1");
        assertThat(door.locked).containsExactly("o-1");
        assertThat(door.written).extracting(row -> row.aggregateId()).containsExactly("o-1");
    }

    @Test
    void without_serialize_nothing_is_locked() {
        door.transaction.begin();
        orders.placeUnserialized("o-1");

        assertThat(door.locked).isEmpty();
    }

    @Test
    void on_a_class_it_applies_to_every_method_that_does_not_say_otherwise() {
        WholeClass bean = beans.bean(WholeClass.class);
        door.transaction.begin();
        bean.place(7);
        bean.placeUnserialized("o-1");
        door.transaction.commit();

        assertThat(door.locked).containsExactly("7");
        assertThat(door.written).hasSize(2);
    }

    @Test
    void without_a_transaction_nothing_is_locked_and_the_method_is_not_called() {
        assertThatThrownBy(() -> orders.place("o-1")).hasMessageStartingWith("OUTBOX-0101");

        assertThat(door.locked).isEmpty();
        door.transaction.begin();
        assertThatThrownBy(() -> orders.place(null)).hasMessageStartingWith("OUTBOX-0106");
    }

    @Test
    void a_transaction_marked_for_rollback_locks_nothing_and_the_method_is_not_called() {
        door.transaction.begin();
        door.transaction.setRollbackOnly();

        assertThatThrownBy(() -> orders.place("o-1"))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0102 " + Orders.class.getName() + ".place(String) was not called");
        assertThat(door.locked).isEmpty();
        assertThat(orders.called()).isEmpty();
    }

    @Test
    void a_repeated_call_after_a_failed_lock_fails_and_names_the_first_failure() {
        door.onLock = id -> {
            throw new IllegalStateException("deadlock");
        };
        door.transaction.begin();
        Throwable first = catchThrowable(() -> orders.place("o-1"));

        assertThatThrownBy(() -> orders.place("o-1"))
                .hasMessageStartingWith("OUTBOX-0102")
                .hasCause(first);
        assertThat(first).hasMessageStartingWith("OUTBOX-0117");
    }

    @Test
    void a_lock_that_fails_because_the_transaction_has_ended_reports_that_failure() {
        door.onLock = id -> {
            door.transaction.rollback();
            throw new IllegalStateException("no connection");
        };
        door.transaction.begin();

        assertThatThrownBy(() -> orders.place("o-1"))
                .hasMessageStartingWith("OUTBOX-0117")
                .hasRootCauseMessage("no connection");
    }

    @Test
    void a_failed_lock_fails_the_call_and_marks_the_transaction_for_rollback() {
        IllegalStateException refused = new IllegalStateException("deadlock");
        door.onLock = id -> {
            throw refused;
        };
        door.transaction.begin();

        assertThatThrownBy(() -> orders.place("o-1"))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0117 the aggregate \"o-1\" could not be locked")
                .hasCause(refused);
        assertThat(door.transaction.getRollbackOnly()).isTrue();
        assertThat(orders.called()).isEmpty();
    }
}
