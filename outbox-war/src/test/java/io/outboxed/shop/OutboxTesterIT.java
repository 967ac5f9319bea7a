package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.DeadLetter;
import io.outboxed.Outbox;
import io.outboxed.shop.orders.Checkout;
import io.outboxed.shop.orders.NewOrder;
import io.outboxed.shop.orders.OrderPlaced;
import io.outboxed.testkit.HandlerCall;
import io.outboxed.testkit.OutboxTester;
import jakarta.inject.Inject;
import java.io.File;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.Assertions;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The test kit's jar in a deployment: the running relay, seen and disturbed by a test in the server. */
@ExtendWith({ServerExtension.class, ArquillianExtension.class})
class OutboxTesterIT {

    @Deployment
    static WebArchive war() throws URISyntaxException {
        return ShrinkWrap.create(ZipImporter.class, "outbox.war")
                .importFrom(new File(System.getProperty("it.war")))
                .as(WebArchive.class)
                .addClasses(OutboxTesterIT.class, ServerExtension.class)
                .addAsLibraries(WarUnderTest.jarOf(Assertions.class), WarUnderTest.jarOf(OutboxTester.class));
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
    void a_retry_comes_earlier_if_the_time_is_advanced() {
        AtomicReference<UUID> id = new AtomicReference<>();
        OrderPlaced placed = checkout.buy(new NewOrder("ada", "tea", 1));
        outbox.failNext("Mailer.confirm", 4);
        outbox.inTransaction(() -> {
            id.set(events.publish(placed));
            assertThat(outbox.uncommitted(OrderPlaced.class)).containsExactly(placed);
        });
        long begun = System.nanoTime();
        for (int attempt = 1; attempt <= 4; attempt++) {
            outbox.drain(Duration.ofSeconds(60));
            outbox.advance(Duration.ofSeconds(3));
        }
        outbox.await(id.get(), Duration.ofSeconds(60));
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(60));
        assertThat(outbox.deadLetters()).extracting(DeadLetter::messageId).doesNotContain(id.get());
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
