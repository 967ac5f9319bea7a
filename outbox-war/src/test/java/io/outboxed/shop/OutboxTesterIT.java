package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.DeadLetter;
import io.outboxed.Outbox;
import io.outboxed.PublishOptions;
import io.outboxed.shop.orders.Checkout;
import io.outboxed.shop.orders.NewOrder;
import io.outboxed.shop.orders.OrderPlaced;
import io.outboxed.testkit.HandlerCall;
import io.outboxed.testkit.OutboxTester;
import jakarta.inject.Inject;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
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

    @Deployment
    static WebArchive war() throws URISyntaxException {
        // beside the shop's own file: without advancing the time, no retry comes during the test
        JavaArchive settings = ShrinkWrap.create(JavaArchive.class, "settings.jar")
                .addAsResource(new StringAsset("""
                                config_ordinal=200
                                outbox.retry."Mailer.confirm".initial-delay=1h
                                outbox.retry."Mailer.confirm".max-delay=1h
                                outbox.retry."Mailer.confirm".jitter=false
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

    @Test
    void a_drain_waits_until_everything_is_delivered() {
        OrderPlaced placed = checkout.buy(new NewOrder("ada", "tea", 1));
        outbox.drain(Duration.ofSeconds(60));
        assertThat(callsOf(placed))
                .extracting(HandlerCall::handler)
                .containsExactlyInAnyOrder("Warehouse.ship", "Mailer.confirm");
        assertThat(outbox.published(OrderPlaced.class)).doesNotContain(placed);
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
    void what_only_a_stepped_relay_can_do_is_refused() {
        assertThatThrownBy(() -> outbox.crashAfter("Mailer.confirm"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("@OutboxTest");
        assertThatThrownBy(() -> outbox.verifyRedelivery(() -> {}, () -> 1))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("@OutboxTest");
    }

    private List<HandlerCall> callsOf(OrderPlaced placed) {
        return outbox.calls().stream()
                .filter(call -> call.aggregateId().equals(String.valueOf(placed.orderId())))
                .toList();
    }
}
