package io.outboxed.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.metrics.Metric.Label;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/** What the outbox relies on, whatever metrics API is behind it. */
interface BackendContract {
    Map<Label, String> SHIP = Map.of(Label.TYPE, "placed", Label.HANDLER, "ship", Label.APPLICATION, "shop");
    Map<Label, String> MAIL = Map.of(Label.TYPE, "placed", Label.HANDLER, "mail", Label.APPLICATION, "shop");
    Map<Label, String> NODE = Map.of(Label.APPLICATION, "shop");

    MetricsBackend backend();

    /** The value of a counter or gauge, as an operator sees it. */
    OptionalDouble figure(Metric metric, Map<Label, String> labels);

    /** How many recorded times were at most this many seconds. */
    double atMost(Metric metric, Map<Label, String> labels, double seconds);

    @Test
    default void a_counter_is_there_before_it_counts_and_adds_up() {
        LongConsumer counter = backend().counter(Metric.DELIVERIES, SHIP);
        assertThat(figure(Metric.DELIVERIES, SHIP)).hasValue(0);

        counter.accept(1);
        counter.accept(2);

        assertThat(figure(Metric.DELIVERIES, SHIP)).hasValue(3);
    }

    @Test
    default void different_labels_are_separate_series_and_the_same_labels_are_one_series() {
        backend().counter(Metric.DELIVERIES, SHIP).accept(1);
        backend().counter(Metric.DELIVERIES, MAIL).accept(5);
        backend().counter(Metric.DELIVERIES, SHIP).accept(1);

        assertThat(figure(Metric.DELIVERIES, SHIP)).hasValue(2);
        assertThat(figure(Metric.DELIVERIES, MAIL)).hasValue(5);
    }

    @Test
    default void a_time_counts_in_its_bucket_and_all_larger_ones() {
        LongConsumer timer = backend().timer(Metric.PROCESSING, SHIP);

        timer.accept(Duration.ofMillis(3).toNanos());
        timer.accept(Duration.ofMillis(60).toNanos());
        timer.accept(Duration.ofSeconds(20).toNanos());

        assertThat(atMost(Metric.PROCESSING, SHIP, 0.005)).isEqualTo(1);
        assertThat(atMost(Metric.PROCESSING, SHIP, 0.05)).isEqualTo(1);
        assertThat(atMost(Metric.PROCESSING, SHIP, 0.075)).isEqualTo(2);
        assertThat(atMost(Metric.PROCESSING, SHIP, 10)).isEqualTo(2);
        assertThat(atMost(Metric.PROCESSING, SHIP, Double.POSITIVE_INFINITY)).isEqualTo(3);
    }

    @Test
    default void the_lag_has_buckets_for_deliveries_that_took_several_tries() {
        backend().timer(Metric.LAG, SHIP).accept(Duration.ofMinutes(4).toNanos());

        assertThat(atMost(Metric.LAG, SHIP, 60)).isZero();
        assertThat(atMost(Metric.LAG, SHIP, 300)).isEqualTo(1);
    }

    @Test
    default void a_gauge_is_read_at_each_scrape() {
        double[] now = {4};
        Runnable remove = backend().gauge(Metric.SHARDS_HELD, NODE, () -> now[0]);
        assertThat(figure(Metric.SHARDS_HELD, NODE)).hasValue(4);

        now[0] = 7;
        assertThat(figure(Metric.SHARDS_HELD, NODE)).hasValue(7);
        remove.run();
    }

    @Test
    default void an_age_is_in_seconds() {
        Runnable remove = backend().gauge(Metric.OLDEST_AGE, NODE, () -> 12.5);

        assertThat(figure(Metric.OLDEST_AGE, NODE)).hasValue(12.5);
        remove.run();
    }

    @Test
    default void a_hidden_gauge_is_gone_and_can_be_shown_again() {
        backend().gauge(Metric.OLDEST_AGE, NODE, () -> 1).run();
        backend().gauge(Metric.SHARDS_HELD, NODE, () -> 1).run();
        assertThat(figure(Metric.OLDEST_AGE, NODE)).isEmpty();
        assertThat(figure(Metric.SHARDS_HELD, NODE)).isEmpty();

        Runnable remove = backend().gauge(Metric.SHARDS_HELD, NODE, () -> 2);
        assertThat(figure(Metric.SHARDS_HELD, NODE)).hasValue(2);
        remove.run();
    }

    /** In a registry of the server: the application was deployed again before the old one had ended. */
    @Test
    default void a_gauge_that_another_deployment_has_replaced_stays_when_the_first_one_is_hidden() {
        Runnable removeFirst = backend().gauge(Metric.SHARDS_HELD, NODE, () -> 1);
        Runnable removeFirstAge = backend().gauge(Metric.OLDEST_AGE, NODE, () -> 1);
        Runnable removeSecond = backend().gauge(Metric.SHARDS_HELD, NODE, () -> 2);
        Runnable removeSecondAge = backend().gauge(Metric.OLDEST_AGE, NODE, () -> 2);

        removeFirst.run();
        removeFirstAge.run();

        assertThat(figure(Metric.SHARDS_HELD, NODE)).hasValue(2);
        assertThat(figure(Metric.OLDEST_AGE, NODE)).hasValue(2);
        removeSecond.run();
        removeSecondAge.run();
        assertThat(figure(Metric.SHARDS_HELD, NODE)).isEmpty();
        assertThat(figure(Metric.OLDEST_AGE, NODE)).isEmpty();
    }

    @Test
    default void a_gauge_that_only_the_outbox_references_survives_the_garbage_collector() {
        Runnable remove = backend().gauge(Metric.SHARDS_HELD, NODE, new Held()::value);

        System.gc();

        assertThat(figure(Metric.SHARDS_HELD, NODE)).hasValue(3);
        remove.run();
    }

    final class Held {
        private final double number = 3;

        private double value() {
            return number;
        }
    }
}
