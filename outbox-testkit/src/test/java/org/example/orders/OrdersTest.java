package org.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.AggregateId;
import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.EventType;
import io.outboxed.Outbox;
import io.outboxed.testkit.HandlerCall;
import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All beans of this package; the configuration is that of the application. */
@OutboxTest
class OrdersTest {
    private static final String SHIP = "Warehouse.ship";
    private static final String CONFIRM = "Mailer.confirm";

    @Inject
    Orders orders;

    @Inject
    Warehouse warehouse;

    @Inject
    Mailer mailer;

    @Inject
    OutboxTester outbox;

    @Inject
    Outbox outboxOfTheApplication;

    @Resource
    DataSource dataSource;

    @BeforeEach
    void no_mail_has_been_sent() {
        mailer.forget();
    }

    @RepeatedTest(2)
    void nothing_is_delivered_before_a_drain_and_each_test_begins_with_nothing() {
        assertThat(outbox.published(OrderPlaced.class)).isEmpty();
        assertThat(warehouse.shipments()).isEmpty();

        orders.place("o-1", 2);
        assertThat(outbox.published(OrderPlaced.class)).containsExactly(new OrderPlaced("o-1", 2));
        assertThat(outbox.calls()).isEmpty();
        assertThat(warehouse.shipments()).isEmpty();

        outbox.drain();
        assertThat(warehouse.shipments()).containsExactly("o-1 x 2");
        assertThat(mailer.sent())
                .as("the event that the first handler published")
                .containsExactly("o-1");
        assertThat(outbox.calls()).extracting(HandlerCall::handler).containsExactly(SHIP, CONFIRM);
        assertThat(outbox.calls(SHIP)).allMatch(HandlerCall::succeeded);
        assertThat(outbox.published(OrderPlaced.class)).containsExactly(new OrderPlaced("o-1", 2));
    }

    @Test
    void the_database_is_in_memory_and_not_the_one_of_the_application() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            assertThat(connection.getMetaData().getURL()).startsWith("jdbc:h2:mem:");
        }
    }

    @Test
    void the_events_of_an_order_come_in_the_order_of_their_commits() {
        for (int i = 1; i <= 20; i++) {
            orders.place("o-1", i);
        }
        outbox.drain();
        assertThat(warehouse.shipments())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 20).mapToObj(i -> "o-1 x " + i).toList());
    }

    @Test
    void an_event_is_uncommitted_until_its_transaction_ends() {
        outbox.inTransaction(() -> {
            orders.place("o-1", 1);
            assertThat(outbox.uncommitted(OrderPlaced.class)).containsExactly(new OrderPlaced("o-1", 1));
            assertThat(outbox.uncommitted(OrderShipped.class)).isEmpty();
            assertThat(outbox.published(OrderPlaced.class)).isEmpty();
        });
        assertThat(outbox.uncommitted(OrderPlaced.class)).isEmpty();
        assertThat(outbox.published(OrderPlaced.class)).hasSize(1);
    }

    @EventType("order.returned")
    public interface Returned {}

    public record ReturnedByMail(@AggregateId String order) implements Returned {}

    @Test
    void events_of_a_class_that_inherits_its_type_are_found() {
        outbox.inTransaction(() -> {
            outboxOfTheApplication.publish(new ReturnedByMail("o-1"));
            assertThat(outbox.uncommitted(ReturnedByMail.class)).containsExactly(new ReturnedByMail("o-1"));
        });
        assertThat(outbox.published(ReturnedByMail.class)).containsExactly(new ReturnedByMail("o-1"));
    }

    @Test
    void a_transaction_that_fails_publishes_nothing() {
        assertThatThrownBy(() -> orders.place("o-1", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> outbox.inTransaction(() -> {
                    orders.place("o-1", 1);
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        outbox.drain();
        assertThat(outbox.published(OrderPlaced.class)).isEmpty();
        assertThat(outbox.calls()).isEmpty();
    }

    @Test
    void a_call_that_failed_is_repeated_when_its_time_has_come() {
        outbox.failNext(SHIP, 1);
        orders.place("o-1", 1);
        outbox.drain();
        assertThat(warehouse.shipments()).isEmpty();
        outbox.advance(Duration.ofSeconds(50));
        outbox.drain();
        assertThat(outbox.calls(SHIP)).hasSize(1);
        outbox.advance(Duration.ofSeconds(11));
        outbox.drain();
        assertThat(outbox.calls(SHIP))
                .extracting(HandlerCall::attempt, HandlerCall::succeeded)
                .containsExactly(tuple(1, false), tuple(2, true));
        assertThat(warehouse.shipments()).containsExactly("o-1 x 1");
    }

    @Test
    void a_handler_that_keeps_failing_leaves_a_dead_letter_which_can_be_replayed(DeadLetters letters) {
        outbox.failNext(CONFIRM, 3);
        orders.place("o-1", 1);
        for (int attempt = 1; attempt <= 3; attempt++) {
            outbox.drain();
            outbox.advance(Duration.ofMinutes(2));
        }
        assertThat(outbox.deadLetters()).extracting(DeadLetter::handler).containsExactly(CONFIRM);
        assertThat(outbox.published(OrderShipped.class)).containsExactly(new OrderShipped("o-1"));

        DeadLetter letter = outbox.deadLetters().get(0);
        letters.replay(letter.messageId(), letter.handler(), true);
        outbox.drain();
        assertThat(mailer.sent()).containsExactly("o-1");
        assertThat(outbox.deadLetters()).isEmpty();
        assertThat(outbox.published(OrderShipped.class)).hasSize(1);
    }

    @Test
    void a_delayed_event_waits_for_its_time() {
        UUID id = orders.placeLater("o-1", Duration.ofDays(1));
        outbox.drain();
        assertThat(outbox.calls()).isEmpty();
        assertThatThrownBy(() -> outbox.await(id))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("order.placed " + id + " of o-1: delayed, due in PT23H59M");
        outbox.advance(Duration.ofDays(1));
        outbox.await(id);
        assertThat(warehouse.shipments()).containsExactly("o-1 x 1");
    }

    @Test
    void an_event_that_was_never_committed_is_not_awaited() {
        assertThatThrownBy(() -> outbox.await(new UUID(1, 2)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("nothing is stored about event 00000000-0000-0001-0000-000000000002");
    }

    @Test
    void a_crash_repeats_a_call_but_not_the_effect_of_a_transaction() {
        outbox.crashAfter(SHIP);
        outbox.crashAfter(CONFIRM);
        orders.place("o-1", 1);
        outbox.drain();
        assertThat(outbox.calls(SHIP)).hasSize(2);
        assertThat(warehouse.shipments()).containsExactly("o-1 x 1");
        assertThat(outbox.calls(CONFIRM)).hasSize(2);
        assertThat(mailer.sent()).containsExactly("o-1", "o-1");
        assertThat(outbox.deadLetters()).isEmpty();
    }

    @Test
    void a_second_delivery_calls_an_outside_handler_but_no_transactional_one() {
        outbox.deliverTwice(SHIP);
        outbox.deliverTwice(CONFIRM);
        orders.place("o-1", 1);
        outbox.drain();
        assertThat(outbox.calls(SHIP)).hasSize(1);
        assertThat(warehouse.shipments()).containsExactly("o-1 x 1");
        assertThat(mailer.sent()).containsExactly("o-1", "o-1");
    }

    @Test
    void redelivery_changes_no_rows() {
        outbox.verifyRedelivery(
                () -> {
                    orders.place("o-1", 1);
                    orders.place("o-2", 2);
                    orders.place("o-1", 3);
                },
                () -> warehouse.shipments().stream().sorted().toList());
    }

    @Test
    void redelivery_finds_an_effect_that_is_outside_of_the_transaction() {
        assertThatThrownBy(() -> outbox.verifyRedelivery(
                        () -> {
                            mailer.forget();
                            orders.place("o-1", 1);
                        },
                        mailer::sent))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll(
                        "After the process crashed after the handler (call 2 of 2: Mailer.confirm with order.shipped of"
                                + " o-1)",
                        "without it: [o-1]",
                        "with it:    [o-1, o-1]");
    }

    /** The next run changes the state that the first one has ended with. */
    @Test
    void redelivery_finds_an_effect_in_a_list_that_is_no_copy() {
        assertThatThrownBy(() -> outbox.verifyRedelivery(this::placeOneOrder, mailer::sentSoFar))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("without it: [o-1]", "with it:    [o-1, o-1]");
    }

    @Test
    void redelivery_finds_an_effect_in_an_object_that_contains_such_a_list() {
        record Sent(List<String> mails) {}
        assertThatThrownBy(() -> outbox.verifyRedelivery(this::placeOneOrder, () -> new Sent(mailer.sentSoFar())))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("without it: Sent[mails=[o-1]]", "with it:    Sent[mails=[o-1, o-1]]");
    }

    @Test
    void a_set_whose_order_alone_differs_is_the_same_state() {
        Set<Object> state = new LinkedHashSet<>();
        AtomicInteger runs = new AtomicInteger();
        outbox.verifyRedelivery(this::placeOneOrder, () -> {
            state.clear();
            state.addAll(runs.incrementAndGet() % 2 == 0 ? List.of("a", "b") : List.of("b", "a"));
            return state;
        });
    }

    private void placeOneOrder() {
        mailer.forget();
        orders.place("o-1", 1);
    }

    /** After each takeover, an event that was processed would end as a dead letter. */
    @Test
    void redelivery_finds_an_outside_handler_that_fails_when_it_is_called_again() {
        assertThatThrownBy(() -> outbox.verifyRedelivery(
                        () -> {
                            mailer.forget();
                            mailer.refuseRepetitions();
                            orders.place("o-1", 1);
                        },
                        () -> mailer.sent().stream().distinct().toList()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("the dead letters differ", "Mailer.confirm of order.shipped of o-1");
    }

    @Test
    void a_handler_that_hangs_is_named_with_what_is_left() {
        outbox.inTransaction(() -> outboxOfTheApplication.publish(new OrderShipped("slow")));
        assertThatThrownBy(() -> outbox.drain(Duration.ofMillis(500)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("not everything was delivered within PT0.5S", "order.shipped", "Mailer.hang");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void a_number_of_calls_of_which_none_would_fail_is_refused(int calls) {
        assertThatThrownBy(() -> outbox.failNext(SHIP, calls))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("calls is " + calls + ", expected at least 1: none would fail");
    }

    @Test
    void a_handler_that_does_not_exist_is_refused() {
        assertThatThrownBy(() -> outbox.failNext("Mailer.send", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no handler Mailer.send here; there are Mailer.confirm, Warehouse.ship");
        assertThatThrownBy(() -> outbox.published(String.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("java.lang.String has no @EventType");
    }
}
