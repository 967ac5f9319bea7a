package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outboxed.AggregateId;
import io.outboxed.EventType;
import io.outboxed.OutboxException;
import io.outboxed.Outboxed;
import io.outboxed.internal.log.SneakyThrow;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What becomes of the transaction of an {@code @Outboxed} method, and of its event. */
class OutboxedInterceptorTest {

    @EventType("order.placed")
    public record Placed(@AggregateId String id) {}

    @ApplicationScoped
    public static class Orders {
        private final List<String> notes = new ArrayList<>();

        @Outboxed
        public Placed note(String id) {
            notes.add(id);
            return new Placed(id);
        }

        public List<String> notes() {
            return notes;
        }

        @Outboxed
        public Object hand(Object value) {
            return value;
        }

        @Outboxed
        public Placed fail() {
            throw new IllegalArgumentException("no");
        }

        @Outboxed
        public Placed restart() {
            ProducedOutbox.current().transaction.commit();
            ProducedOutbox.current().transaction.begin();
            return new Placed("1");
        }

        @Outboxed
        public Placed end() {
            ProducedOutbox.current().transaction.commit();
            return new Placed("1");
        }

        @Outboxed
        public Placed restartAndMark() {
            ProducedOutbox.current().transaction.commit();
            ProducedOutbox.current().transaction.begin();
            ProducedOutbox.current().transaction.setRollbackOnly();
            return new Placed("1");
        }

        @Outboxed
        public Object giveUp(Object answer) {
            ProducedOutbox.current().transaction.setRollbackOnly();
            return answer;
        }
    }

    /** Swallows the other bean's failure. */
    @ApplicationScoped
    public static class Careless {
        @Inject
        Orders orders;

        @Outboxed
        public Placed place() {
            try {
                orders.hand(new Object());
            } catch (OutboxException e) {
                assertThat(e).hasMessageStartingWith("OUTBOX-0104");
            }
            return new Placed("1");
        }
    }

    @AutoClose
    private final InterceptedBeans beans = new InterceptedBeans(Orders.class, Careless.class);

    private final CaptureFixture door = beans.door;
    private final Orders orders = beans.bean(Orders.class);

    @Test
    void an_event_is_not_stored_in_a_transaction_that_the_method_has_begun_after_its_own() {
        door.transaction.begin();

        assertThatThrownBy(orders::restart)
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0102 " + Orders.class.getName()
                        + ".restart() returned in a different transaction from the one it was called in");
        assertThat(door.transaction.getRollbackOnly()).isTrue();
        door.transaction.commit();
        assertThat(door.written).isEmpty();
    }

    @Test
    void an_event_is_not_stored_after_the_method_has_ended_its_transaction() {
        door.transaction.begin();

        assertThatThrownBy(orders::end).hasMessageStartingWith("OUTBOX-0101 no transaction is active");
    }

    @Test
    void a_transaction_that_is_another_one_and_marked_for_rollback_is_no_answer_of_the_method() {
        door.transaction.begin();

        assertThatThrownBy(orders::restartAndMark)
                .hasMessageStartingWith("OUTBOX-0102 " + Orders.class.getName()
                        + ".restartAndMark() returned in a different transaction");
    }

    /** Kotlin and Lombok throw them undeclared; {@code @Transactional} commits for them. */
    @Test
    void a_checked_exception_of_a_codec_marks_the_transaction() {
        door.transaction.begin();

        assertThatThrownBy(() -> orders.hand(new ProducedOutbox.Unreadable()))
                .hasMessageStartingWith("OUTBOX-0110")
                .hasCauseInstanceOf(IOException.class);
        assertThat(door.transaction.getRollbackOnly()).isTrue();
    }

    @Test
    void a_checked_exception_of_the_events_own_code_marks_the_transaction() {
        door.transaction.begin();
        Iterable<Object> events = () -> {
            throw SneakyThrow.of(new IOException("no"));
        };

        assertThatThrownBy(() -> orders.hand(events)).isInstanceOf(IOException.class);
        assertThat(door.transaction.getRollbackOnly()).isTrue();
    }

    @Test
    void an_event_that_is_refused_rolls_back_whatever_the_caller_makes_of_the_exception() {
        door.transaction.begin();
        assertThatThrownBy(() -> orders.hand(List.of(new Placed("1"), new Object())))
                .hasMessageStartingWith("OUTBOX-0104");
        door.transaction.commit();

        assertThat(door.written).isEmpty();
        assertThat(door.signalled).isEmpty();
    }

    @Test
    void a_method_that_throws_publishes_nothing() {
        door.transaction.begin();
        assertThatThrownBy(orders::fail).hasMessage("no");
        door.transaction.commit();

        assertThat(door.written).isEmpty();
    }

    @Test
    void a_method_that_marks_its_transaction_for_rollback_returns_its_result() {
        door.transaction.begin();

        assertThat(orders.giveUp("an answer and no event")).isEqualTo("an answer and no event");
    }

    @Test
    void a_transaction_that_is_marked_for_rollback_already_fails_the_call_and_the_method_is_not_called() {
        door.transaction.begin();
        door.transaction.setRollbackOnly();

        assertThatThrownBy(orders::fail)
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0102 " + Orders.class.getName() + ".fail() was not called")
                .hasMessageContaining("Retry in a new transaction")
                .hasNoCause();
    }

    @Test
    void a_repeated_call_in_the_transaction_of_a_failed_one_fails_as_well_and_names_the_first_failure() {
        door.transaction.begin();
        Throwable first = catchThrowable(() -> orders.hand(new Object()));

        assertThatThrownBy(() -> orders.hand(new Placed("1")))
                .hasMessageStartingWith("OUTBOX-0102")
                .hasCause(first);
        assertThatThrownBy(() -> door.outbox.publish(new Placed("1")))
                .hasMessageStartingWith("OUTBOX-0102")
                .hasCause(first);
        door.transaction.commit();

        assertThat(first).hasMessageStartingWith("OUTBOX-0104");
        assertThat(door.written).isEmpty();
    }

    @Test
    void a_method_that_hides_a_failure_of_the_outbox_fails() {
        Careless careless = beans.bean(Careless.class);
        door.transaction.begin();

        assertThatThrownBy(careless::place)
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0102 " + Careless.class.getName() + ".place() returned")
                .cause()
                .hasMessageStartingWith("OUTBOX-0104");
    }

    @Test
    void without_a_transaction_the_method_is_not_called() {
        assertThatThrownBy(() -> orders.note("1")).hasMessageStartingWith("OUTBOX-0101");

        assertThat(orders.notes()).isEmpty();
    }

    @Test
    void without_a_transaction_even_an_empty_result_is_refused() {
        assertThatThrownBy(() -> orders.hand(List.of())).hasMessageStartingWith("OUTBOX-0101");
    }
}
