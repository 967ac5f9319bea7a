package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.AggregateId;
import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.EventType;
import io.outboxed.Outbox;
import io.outboxed.PublishOptions;
import io.outboxed.internal.testkit.ObservedCalls;
import io.outboxed.shop.orders.Checkout;
import io.outboxed.shop.orders.NewOrder;
import io.outboxed.shop.orders.OrderPlaced;
import io.outboxed.testkit.HandlerCall;
import io.outboxed.testkit.OutboxTester;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The test kit's jar in a deployment: the running relay, seen and disturbed by a test in the server. */
@ExtendWith({ServerExtension.class, ArquillianExtension.class})
class OutboxTesterIT {
    /** Of the shop. */
    private static final int ATTEMPTS = 5;

    @Deployment
    static WebArchive war() throws URISyntaxException {
        // beside the shop's own file: no retry comes before the time is advanced, and what was delivered is kept
        JavaArchive settings = ShrinkWrap.create(JavaArchive.class, "settings.jar")
                .addAsResource(new StringAsset("""
                                config_ordinal=200
                                outbox.retry."Mailer.confirm".initial-delay=1h
                                outbox.retry."Mailer.confirm".max-delay=1h
                                outbox.retry."Mailer.confirm".jitter=false
                                outbox.on-success=keep
                                """), "META-INF/microprofile-config.properties");
        return WarUnderTest.withAssertions()
                .addClass(OutboxTesterIT.class)
                .addAsLibraries(settings)
                .addAsLibraries(WarUnderTest.jarOf(OutboxTester.class));
    }

    @Inject
    OutboxTester outbox;

    @Inject
    Outbox events;

    @Inject
    Checkout checkout;

    @Inject
    Gate gate;

    @Inject
    DeadLetters letters;

    @Inject
    ObservedCalls observed;

    @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
    TransactionSynchronizationRegistry transaction;

    @EventType("it.held")
    public record Held(@AggregateId String name) {}

    /** Its handler does not return before a test lets it. */
    @ApplicationScoped
    public static class Gate {
        private final CountDownLatch opened = new CountDownLatch(1);

        void pass(@Observes Held event) throws InterruptedException {
            opened.await();
        }

        public void open() {
            opened.countDown();
        }
    }

    @Test
    void a_drain_waits_until_everything_is_delivered() {
        OrderPlaced placed = checkout.buy(new NewOrder("ada", "tea", 1));
        outbox.drain(Duration.ofSeconds(60));
        assertThat(callsOf(placed))
                .extracting(HandlerCall::handler)
                .containsExactlyInAnyOrder("Warehouse.ship", "Mailer.confirm");
        assertThat(outbox.published(OrderPlaced.class)).as("delivered and kept").contains(placed);
    }

    @Test
    void an_event_that_is_not_delivered_in_time_is_named() {
        AtomicReference<UUID> id = new AtomicReference<>();
        outbox.inTransaction(() -> id.set(events.publish(new Held("a"))));
        try {
            assertThatThrownBy(() -> outbox.await(id.get(), Duration.ofMillis(300)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContainingAll("event " + id + " is not done after PT0.3S", "it.held " + id + " of a");
            assertThatThrownBy(() -> outbox.drain(Duration.ofMillis(300)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContainingAll("not everything was delivered within PT0.3S", "it.held " + id + " of a");
        } finally {
            gate.open();
        }
        outbox.await(id.get(), Duration.ofSeconds(60));
    }

    @Test
    void an_event_that_was_rolled_back_is_not_waited_for() {
        AtomicReference<UUID> id = new AtomicReference<>();
        IllegalStateException failure = new IllegalStateException("as requested");
        assertThatThrownBy(() -> outbox.inTransaction(() -> {
                    id.set(events.publish(new Held("b")));
                    throw failure;
                }))
                .isSameAs(failure);
        assertThatThrownBy(() -> outbox.await(id.get(), Duration.ofSeconds(60)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("nothing is stored about event " + id);
    }

    @Test
    void retries_come_hours_earlier_if_the_time_is_advanced() {
        AtomicReference<UUID> id = new AtomicReference<>();
        OrderPlaced placed = checkout.buy(new NewOrder("ada", "tea", 1));
        outbox.drain(Duration.ofSeconds(60));
        outbox.failNext("Mailer.confirm", 4);
        outbox.inTransaction(() -> {
            id.set(events.publish(placed));
            assertThat(outbox.uncommitted(OrderPlaced.class)).containsExactly(placed);
        });
        for (int attempt = 1; attempt <= 4; attempt++) {
            outbox.drain(Duration.ofSeconds(60));
            outbox.advance(Duration.ofHours(1));
        }
        outbox.await(id.get(), Duration.ofSeconds(60));
        assertThat(outbox.calls("Mailer.confirm"))
                .filteredOn(call -> call.messageId().equals(id.get()))
                .extracting(HandlerCall::attempt, HandlerCall::succeeded)
                .containsExactly(tuple(1, false), tuple(2, false), tuple(3, false), tuple(4, false), tuple(5, true));
        assertThat(outbox.deadLetters()).extracting(DeadLetter::messageId).doesNotContain(id.get());
    }

    @Test
    void an_event_of_which_all_attempts_have_failed_is_a_dead_letter() {
        outbox.failNext("Mailer.confirm", ATTEMPTS);
        OrderPlaced placed = checkout.buy(new NewOrder("ada", "tea", 1));
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            outbox.drain(Duration.ofSeconds(60));
            outbox.advance(Duration.ofHours(1));
        }
        List<DeadLetter> ofThisOrder = outbox.deadLetters().stream()
                .filter(letter -> letter.aggregateId().equals(String.valueOf(placed.orderId())))
                .toList();
        assertThat(ofThisOrder)
                .extracting(DeadLetter::handler, DeadLetter::attempts)
                .containsExactly(tuple("Mailer.confirm", ATTEMPTS));
        letters.discard(ofThisOrder.get(0).messageId(), "Mailer.confirm");
    }

    @Test
    void a_delayed_event_comes_hours_earlier_if_the_time_is_advanced() {
        OrderPlaced placed = checkout.buy(new NewOrder("ada", "tea", 1));
        outbox.drain(Duration.ofSeconds(60));
        AtomicReference<UUID> id = new AtomicReference<>();
        outbox.inTransaction(
                () -> id.set(events.publish(placed, PublishOptions.none().delay(Duration.ofHours(1)))));
        outbox.drain(Duration.ofSeconds(60));
        assertThat(callsOf(placed)).hasSize(2);

        outbox.advance(Duration.ofHours(1));

        outbox.await(id.get(), Duration.ofSeconds(60));
        assertThat(callsOf(placed)).hasSize(4);
    }

    @Test
    void a_second_delivery_repeats_a_call_only_of_an_outside_handler_and_keeps_the_order() {
        outbox.deliverTwice("Warehouse.ship");
        outbox.deliverTwice("Mailer.confirm");
        OrderPlaced placed = checkout.buy(new NewOrder("ada", "tea", 1));
        outbox.drain(Duration.ofSeconds(60));
        assertThat(callsOf(placed))
                .extracting(HandlerCall::handler)
                .containsExactlyInAnyOrder("Warehouse.ship", "Mailer.confirm", "Mailer.confirm");
        outbox.verifyOrder();
    }

    @Test
    void an_event_that_is_committed_after_a_later_one_of_its_aggregate_is_out_of_order() {
        OrderPlaced placed = checkout.buy(new NewOrder("ada", "tea", 1));
        outbox.drain(Duration.ofSeconds(60));
        AtomicReference<UUID> early = new AtomicReference<>();
        AtomicReference<UUID> late = new AtomicReference<>();
        outbox.inTransaction(() -> {
            early.set(events.publish(placed));
            afterItsRowIsWritten(() -> {
                outbox.inTransaction(() -> late.set(events.publish(placed)));
                outbox.await(late.get(), Duration.ofSeconds(60));
            });
        });
        outbox.await(early.get(), Duration.ofSeconds(60));
        try {
            assertThatThrownBy(() -> outbox.verifyOrder())
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContainingAll(
                            "was called with order.placed " + early + " after ",
                            "had been called with order.placed " + late + ", a later event of the same aggregate "
                                    + placed.orderId());
        } finally {
            observed.forget();
        }
    }

    @Test
    void what_only_a_stepped_relay_can_do_is_refused() {
        assertThatThrownBy(() -> outbox.crashAfter("Mailer.confirm"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("@OutboxTest");
        assertThatThrownBy(() -> outbox.verifyRedelivery(() -> {}, () -> 1))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("@OutboxTest");
    }

    /**
     * What is registered while work before the commit runs comes last, and the outbox writes its rows there. So what is
     * registered once more comes behind it, whichever of the two was first.
     */
    private void afterItsRowIsWritten(Runnable work) {
        beforeTheCommit(() -> beforeTheCommit(() -> beforeTheCommit(work)));
    }

    private void beforeTheCommit(Runnable work) {
        transaction.registerInterposedSynchronization(new Synchronization() {
            @Override
            public void beforeCompletion() {
                work.run();
            }

            @Override
            public void afterCompletion(int status) {}
        });
    }

    private List<HandlerCall> callsOf(OrderPlaced placed) {
        return outbox.calls().stream()
                .filter(call -> call.aggregateId().equals(String.valueOf(placed.orderId())))
                .toList();
    }
}
