package io.outboxed.it.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.PublishOptions;
import io.outboxed.it.publish.Receipts.Receipt;
import io.outboxed.shop.ServerExtension;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Ids, delays, instants, cancellations, headers and payloads, with the relay that delivers them. */
@ExtendWith({ServerExtension.class, ArquillianExtension.class})
class PublishIT extends PublishTests {
    private static final Duration SOON = Duration.ofMillis(1_500);
    private static final Duration LONGEST = Duration.ofSeconds(30);

    @Resource(lookup = "java:comp/DefaultManagedExecutorService")
    ManagedExecutorService executor;

    @Deployment
    static WebArchive war() throws URISyntaxException {
        return war("json");
    }

    @Test
    void a_delayed_event_is_held_back_until_its_delay_has_passed() {
        Instant due = Instant.now().plus(SOON);
        UUID id = publish("delayed", PublishOptions.none().delay(SOON));

        assertThat(received(id))
                .extracting(Receipt::at)
                .allSatisfy(at -> assertThat(at).isAfterOrEqualTo(due));
    }

    @Test
    void a_scheduled_event_is_held_back_until_its_instant() {
        Instant due = Instant.now().plus(SOON);
        UUID id = publish("scheduled", PublishOptions.none().notBefore(due));

        assertThat(received(id))
                .extracting(Receipt::at)
                .allSatisfy(at -> assertThat(at).isAfterOrEqualTo(due));
    }

    @Test
    void an_event_whose_instant_has_passed_is_delivered_at_once() {
        UUID id =
                publish("passed", PublishOptions.none().notBefore(Instant.now().minusSeconds(60)));

        assertThat(received(id)).hasSize(HANDLERS_OF_LATER);
    }

    @Test
    void a_cancelled_event_is_not_delivered_and_one_whose_cancellation_rolls_back_is() {
        UUID restored = inTime(
                        delay -> publish(
                                "restored",
                                PublishOptions.none().notBefore(Instant.now().plus(delay))),
                        this::cancelAndRollBack)
                .id();
        Delayed cancelled = inTime(
                delay -> publish("cancelled", PublishOptions.none().delay(delay)),
                event -> publisher.cancel(event.id()));
        assertThat(publisher.cancel(cancelled.id())).isFalse();
        UUID unwritten = publisher.publishAndCancel(new Later("unwritten"));
        UUID last =
                publish("last", PublishOptions.none().delay(cancelled.delay().plus(SOON)));

        assertThat(received(restored)).hasSize(HANDLERS_OF_LATER);
        received(last);
        assertThat(receipts.of(cancelled.id())).isEmpty();
        assertThat(receipts.of(unwritten)).isEmpty();
    }

    private boolean cancelAndRollBack(Delayed event) {
        try {
            return publisher.cancel(event.id(), () -> {
                throw new IllegalStateException("rolled back");
            });
        } catch (RuntimeException e) {
            assertThat(e).hasMessageContaining("rolled back");
            return true;
        }
    }

    private record Delayed(UUID id, Duration delay) {}

    /** On a busy machine the relay may come first: then another event, with a longer delay, takes its place. */
    private static Delayed inTime(Function<Duration, UUID> publish, Predicate<Delayed> cancel) {
        for (Duration delay = SOON; delay.compareTo(LONGEST) < 0; delay = delay.multipliedBy(2)) {
            Delayed event = new Delayed(publish.apply(delay), delay);
            if (cancel.test(event)) {
                return event;
            }
        }
        throw new AssertionError("no delayed event could be cancelled");
    }

    @Test
    void an_event_that_becomes_due_while_it_is_being_cancelled_is_not_delivered() {
        UUID cancelled = inTime(
                        delay -> publish("cancelled", PublishOptions.none().delay(delay)), event -> {
                            UUID later = publish(
                                    "later",
                                    PublishOptions.none().delay(event.delay().plus(SOON)));
                            return publisher.cancel(event.id(), () -> received(later));
                        })
                .id();

        assertThat(receipts.of(cancelled)).isEmpty();
        received(publish("last", PublishOptions.none().delay(SOON)));
        assertThat(receipts.of(cancelled)).isEmpty();
    }

    @Test
    void an_event_that_may_have_been_started_is_not_cancelled() {
        UUID id = publish("started", PublishOptions.none());

        assertThat(publisher.cancel(id)).isFalse();
        assertThat(received(id)).hasSize(HANDLERS_OF_LATER);
        assertThat(publisher.cancel(id)).isFalse();
    }

    @Test
    void the_callers_id_is_that_of_the_message_and_can_be_used_once() {
        UUID own = UUID.randomUUID();
        assertThat(publish("own", PublishOptions.none().id(own))).isEqualTo(own);
        assertThat(received(own)).hasSize(HANDLERS_OF_LATER);

        assertThatThrownBy(() -> publish("again", PublishOptions.none().id(own)))
                .hasStackTraceContaining("OUTBOX-0145 an event with the id " + own);
    }

    /** The second transaction begins while the first has the key, and waits for its end in {@code publish}. */
    @Test
    void of_two_transactions_that_publish_with_one_key_at_the_same_time_one_stores_its_event_and_both_get_its_id()
            throws Exception {
        PublishOptions options = PublishOptions.none().key("key").aggregate("later", "key");
        List<Future<UUID>> waiting = new ArrayList<>();

        UUID first = publisher.publish(new Later("first"), options, () -> {
            waiting.add(executor.submit(() -> publisher.publish(new Later("second"), options)));
            await(publisher::isWaitedFor);
        });

        assertThat(waiting.get(0).get(60, TimeUnit.SECONDS)).isEqualTo(first);
        received(publish("behind both", PublishOptions.none().aggregate("later", "key")));
        assertThat(receipts.of(first)).hasSize(HANDLERS_OF_LATER);
        assertThat(receipts.of(new Later("second"))).isEmpty();
    }

    @Test
    void headers_of_any_text_reach_the_handler() {
        String odd = "\"quoted\" \\ \t\r\n\u0001\u001F\u007F Grüße \uD83C\uDF75 \u2028" + "x".repeat(3_000);
        UUID id = publish("headers", PublishOptions.none().header("odd \"name\"", odd));

        assertThat(received(id))
                .extracting(receipt -> receipt.message().headers().get("odd \"name\""))
                .containsOnly(odd);
    }

    @Test
    void bytes_are_received_as_they_were_published_and_events_as_text() {
        List<Receipt> binary = received(publishBytes(), 1);
        assertThat(binary.get(0).message().bytes()).isEqualTo(BYTES);
        assertThat(binary.get(0).message().text()).isNull();

        List<Receipt> json = received(publish("json", PublishOptions.none()));
        assertThat(json).allSatisfy(receipt -> {
            assertThat(receipt.message().text()).isEqualTo("{\"id\":\"json\"}");
            assertThat(receipt.message().bytes()).isNull();
        });
    }

    @Test
    void text_that_is_not_json_is_refused() {
        assertThatThrownBy(() ->
                        publisher.publish("{\"id\":", PublishOptions.none().type("it.later")))
                .hasStackTraceContaining("OUTBOX-0118 the payload of it.later is not valid JSON at line 1, column");
    }
}
