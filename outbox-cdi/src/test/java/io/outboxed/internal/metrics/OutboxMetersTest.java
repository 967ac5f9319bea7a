package io.outboxed.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.store.Backlog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.LongConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class OutboxMetersTest {
    private static final Backlog SAMPLE = new Backlog(5, 4, 3, 2, 1, 6, Duration.ofMillis(1500));

    private final RecordingBackend backend = new RecordingBackend();
    private final OutboxMeters meters = new OutboxMeters(backend, "shop", true);

    @Test
    void a_handlers_series_are_there_at_zero_before_its_first_delivery() {
        meters.deliveries("placed", "ship");

        assertThat(backend.counts())
                .containsEntry("outbox.deliveries{event.type=placed,handler=ship,outcome=success}", 0L)
                .containsEntry("outbox.deliveries{event.type=placed,handler=ship,outcome=retry}", 0L)
                .containsEntry("outbox.deliveries{event.type=placed,handler=ship,outcome=deferred}", 0L)
                .containsEntry("outbox.deliveries{event.type=placed,handler=ship,outcome=dead}", 0L)
                .containsEntry("outbox.deliveries{event.type=placed,handler=ship,outcome=unknown}", 0L)
                .containsEntry("outbox.messages.stored{event.type=placed}", 0L);
    }

    /** An alert says that no node delivers if there are series of a relay, but none of a running one. */
    @Test
    void a_node_whose_relay_is_disabled_has_no_series_of_a_relay() {
        RecordingBackend own = new RecordingBackend();
        OutboxMeters publisher = new OutboxMeters(own, "bank", false);
        publisher.leaseExpired();
        publisher.polled(1);
        publisher.stored("placed");

        assertThat(own.counts()).containsOnlyKeys("outbox.messages.stored{event.type=placed}");
        assertThat(own.timeSeries()).isZero();
        assertThat(own.isShown("outbox.relay.stalled{}")).isFalse();
    }

    /** An alert says that no node delivers if all that are shown are stalled: after an undeployment, none is shown. */
    @Test
    void a_node_is_shown_as_stalled_before_its_relay_has_started_and_not_at_all_after_its_end() {
        assertThat(backend.gauge("outbox.relay.stalled{}")).isEqualTo(1);
        assertThat(backend.isShown("outbox.shards.held{}")).isFalse();

        meters.showNode();
        meters.readings().iterated(64, false);

        assertThat(backend.gauge("outbox.relay.stalled{}")).isZero();
        assertThat(backend.gauge("outbox.shards.held{}")).isEqualTo(64);

        meters.hideNode();

        assertThat(backend.isShown("outbox.relay.stalled{}")).isFalse();
        assertThat(backend.isShown("outbox.shards.held{}")).isFalse();
    }

    @Test
    void the_same_handler_has_the_same_meters() {
        assertThat(meters.deliveries("placed", "ship")).isSameAs(meters.deliveries("placed", "ship"));
    }

    @Test
    void after_two_hundred_of_a_kind_the_rest_is_other() {
        for (int i = 0; i < 1000; i++) {
            meters.stored("type " + i);
            meters.deliveries("placed", "handler " + i).ended(DeliveryMeters.AttemptResult.SUCCESS);
            meters.deliveries("placed", "handler 0").processed(1, Optional.of("Error" + i));
        }

        assertThat(meters.deliveries("placed", "handler 998"))
                .as("no memory is used for each of them")
                .isSameAs(meters.deliveries("shipped", "handler 999"));
        assertThat(backend.count("outbox.messages.stored{event.type=other}")).isGreaterThanOrEqualTo(800);
        assertThat(backend.count("outbox.deliveries{event.type=other,handler=other,outcome=success}"))
                .isEqualTo(800);
        assertThat(backend.times("messaging.process.duration{event.type=placed,handler=handler 0,error.type=other}"))
                .hasSize(800);
        assertThat(backend.counts().keySet().stream().filter(series -> series.startsWith("outbox.messages.stored")))
                .hasSize(201);
        assertThat(backend.timeSeries()).as("poll, lag, processing, errors").isLessThanOrEqualTo(1 + 3 * 201);
    }

    @Test
    void the_same_kind_of_error_counts_once_however_many_handlers_have_it() {
        for (int handler = 0; handler < 60; handler++) {
            for (String error : List.of("Refused", "TimedOut", "Rejected", "Conflict")) {
                DeliveryMeters ofHandler = meters.deliveries("placed", "handler " + handler);
                ofHandler.processed(1, Optional.of(error));

                assertThat(backend.times("messaging.process.duration{event.type=placed,handler=handler " + handler
                                + ",error.type=" + error + "}"))
                        .hasSize(1);
            }
        }
    }

    @Test
    void the_backlog_is_shown_from_the_sample_and_gone_when_it_is_hidden() {
        assertThat(backend.isShown("outbox.backlog{state=ready}")).isFalse();

        meters.backlog(SAMPLE, Map.of("discard", 3L));

        assertThat(backend.gauge("outbox.backlog{state=ready}")).isEqualTo(5);
        assertThat(backend.gauge("outbox.backlog{state=parked}")).isEqualTo(4);
        assertThat(backend.gauge("outbox.backlog{state=waiting}")).isEqualTo(3);
        assertThat(backend.gauge("outbox.backlog{state=blocked}")).isEqualTo(2);
        assertThat(backend.gauge("outbox.backlog{state=dead}")).isEqualTo(1);
        assertThat(backend.gauge("outbox.blocked.aggregates{}")).isEqualTo(6);
        assertThat(backend.gauge("outbox.backlog.oldest.age{}")).isEqualTo(1.5);
        assertThat(backend.gauge("outbox.operator.changes{action=discard}")).isEqualTo(3);
        assertThat(meters.readings().backlog()).contains(SAMPLE);

        meters.backlog(SAMPLE, Map.of());

        assertThat(backend.gauge("outbox.operator.changes{action=discard}")).isZero();

        meters.hideBacklog();

        for (String gone : new String[] {
            "outbox.backlog{state=ready}",
            "outbox.blocked.aggregates{}",
            "outbox.backlog.oldest.age{}",
            "outbox.operator.changes{action=discard}"
        }) {
            assertThat(backend.isShown(gone)).as(gone).isFalse();
        }
        assertThat(meters.readings().backlog()).isEmpty();
    }

    @Test
    void a_metrics_api_that_throws_does_no_harm() {
        Logger log = Logger.getLogger("io.outboxed");
        log.setLevel(Level.OFF);
        try {
            OutboxMeters hostile = new OutboxMeters(new Hostile(), "shop", true);
            hostile.stored("placed");
            hostile.polled(1);
            hostile.staleWrite();
            hostile.deliveries("placed", "ship").ended(DeliveryMeters.AttemptResult.DEAD);
            hostile.showNode();
            hostile.backlog(SAMPLE, Map.of());
            hostile.hideBacklog();

            assertThat(hostile.readings().stalled()).isTrue();
        } finally {
            log.setLevel(null);
        }
    }

    private static final class Hostile implements MetricsBackend {
        @Override
        public LongConsumer counter(Metric metric, Map<Metric.Label, String> labels) {
            return amount -> {
                throw new IllegalStateException("no counting");
            };
        }

        @Override
        public LongConsumer timer(Metric metric, Map<Metric.Label, String> labels) {
            throw new NoSuchMethodError("an older API");
        }

        @Override
        public Runnable gauge(Metric metric, Map<Metric.Label, String> labels, DoubleSupplier value) {
            throw new IllegalArgumentException("same name, other labels");
        }
    }
}
