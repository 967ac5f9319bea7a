package io.outboxed.internal.relay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.metrics.RecordingBackend;
import io.outboxed.internal.relay.BetweenStatements;
import io.outboxed.internal.relay.DatabaseClock;
import io.outboxed.internal.relay.OutageStore;
import io.outboxed.internal.relay.SilentLog;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.RelayStore;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which node samples the backlog, how often, and when its figures vanish. */
@ExtendWith(SilentLog.class)
class BacklogSamplerTest {
    private static final String READY = "outbox.backlog{state=ready}";

    private long now = Duration.ofHours(1).toNanos();
    private boolean databaseIsDown;
    private boolean ours = true;
    private int samples;
    private int clockReads;
    private boolean samplesFail;
    private Runnable duringSample = () -> {};
    private Duration sampleTime = Duration.ZERO;
    private final MemoryStore store = new MemoryStore(() -> now / 1000);
    private final RelayStore reached = OutageStore.of(
            BetweenStatements.eachTime(countingClockReads(), "backlog", () -> {
                samples++;
                duringSample.run();
                now += sampleTime.toNanos();
                if (samplesFail) {
                    throw new StoreException("no answer from the network", true, null);
                }
            }),
            () -> databaseIsDown,
            () -> {});
    private final RecordingBackend backend = new RecordingBackend();
    private final DatabaseClock clock = new DatabaseClock(reached.statistics(), () -> now);
    private BacklogSampler sampler = samplerWith(new OutboxMeters(backend, "shop", true));

    private RelayStore countingClockReads() {
        return BetweenStatements.eachTime(store.ports(), "clock", () -> clockReads++);
    }

    private BacklogSampler samplerWith(OutboxMeters meters) {
        return new BacklogSampler(reached.statistics(), meters, clock, () -> ours, Duration.ofSeconds(15), () -> now);
    }

    @Test
    void the_sampling_node_takes_one_sample_per_interval() {
        store.insert(new UUID(1, 1), "placed", 1, 1, 0, "fine");
        runFor(Duration.ofSeconds(60));

        assertThat(samples).isBetween(4, 5);
        assertThat(backend.gauge(READY)).isEqualTo(1);
    }

    @Test
    void the_others_neither_sample_nor_show_a_series() {
        ours = false;
        runFor(Duration.ofSeconds(60));

        assertThat(samples).isZero();
        assertThat(backend.isShown(READY)).isFalse();
    }

    @Test
    void without_metrics_nothing_is_counted_but_the_databases_clock_is_read() {
        sampler = samplerWith(OutboxMeters.none());
        runFor(Duration.ofSeconds(60));

        assertThat(samples).isZero();
        assertThat(clock.since(Instant.EPOCH)).isPresent();
    }

    @Test
    void when_sampling_moves_to_another_node_the_old_series_vanish_within_a_second() {
        runFor(Duration.ofSeconds(20));
        assertThat(backend.isShown(READY)).isTrue();

        ours = false;
        runFor(Duration.ofSeconds(1));
        assertThat(backend.isShown(READY)).isFalse();

        ours = true;
        runFor(Duration.ofSeconds(1));
        assertThat(backend.isShown(READY))
                .as("they appear at once where it moves to")
                .isTrue();
    }

    @Test
    void they_also_vanish_while_a_count_takes_long() {
        runFor(Duration.ofSeconds(20));
        duringSample = () -> {
            ours = false;
            sampler.hideIfStale();
            assertThat(backend.isShown(READY)).isFalse();
        };
        runFor(Duration.ofSeconds(20));

        assertThat(ours).as("there was a count").isFalse();
        assertThat(backend.isShown(READY)).isFalse();
    }

    @Test
    void the_last_figures_stay_while_the_next_count_takes_longer_than_they_are_kept_without_one() {
        runFor(Duration.ofSeconds(16));
        int before = samples;
        duringSample = () -> {
            now += Duration.ofMinutes(3).toNanos();
            sampler.hideIfStale();
            assertThat(backend.isShown(READY)).isTrue();
        };
        runFor(Duration.ofSeconds(20));

        assertThat(samples).as("there was a count").isGreaterThan(before);
        assertThat(backend.isShown(READY)).isTrue();
    }

    @Test
    void they_vanish_after_a_count_that_took_that_long_and_failed() {
        runFor(Duration.ofSeconds(16));
        sampleTime = Duration.ofMinutes(3);
        samplesFail = true;
        runFor(Duration.ofSeconds(20));

        assertThat(backend.isShown(READY)).isFalse();
    }

    @Test
    void sampling_takes_at_most_a_twentieth_of_the_time() {
        sampleTime = Duration.ofSeconds(3);
        long started = now;
        runFor(Duration.ofMinutes(10));

        assertThat(samples * sampleTime.toNanos() * 20).isLessThanOrEqualTo(now - started + 60 * sampleTime.toNanos());
        assertThat(samples).isGreaterThan(5);
    }

    @Test
    void a_sample_that_times_out_is_not_repeated_at_once() {
        sampleTime = Duration.ofSeconds(20);
        samplesFail = true;
        runFor(Duration.ofMinutes(60));

        assertThat(samples).as("samples of 20 s in an hour").isBetween(10, 13);
    }

    @Test
    void after_a_count_that_took_minutes_the_next_one_follows_within_ten_minutes() {
        sampleTime = Duration.ofMinutes(2);
        sampler.round();
        sampleTime = Duration.ZERO;
        runFor(Duration.ofMinutes(4));
        assertThat(samples).isEqualTo(1);

        runFor(Duration.ofMinutes(4));
        assertThat(samples).isGreaterThan(1);
    }

    @Test
    void counts_that_fail_are_logged_once_and_so_is_their_end_although_the_databases_clock_answers() {
        try (CapturedLog log = new CapturedLog()) {
            samplesFail = true;
            sampleTime = Duration.ofMillis(700);
            runFor(Duration.ofMinutes(5));
            assertThat(log.lines).singleElement().asString().contains("OUTBOX-0691");
            assertThat(clockReads).as("the clock is read all the same").isBetween(18, 21);

            samplesFail = false;
            runFor(Duration.ofMinutes(5));
            assertThat(log.lines).hasSize(2).last().asString().contains("OUTBOX-0692");
        }
    }

    @Test
    void an_outage_of_the_database_is_logged_once_and_so_is_its_end() {
        anOutageIsLoggedOnce();
    }

    @Test
    void nodes_that_only_read_the_databases_clock_also_log_an_outage_once() {
        ours = false;
        anOutageIsLoggedOnce();
    }

    /** On a node that only reads the clock, a line about the backlog alone would be about another node. */
    private void anOutageIsLoggedOnce() {
        try (CapturedLog log = new CapturedLog()) {
            databaseIsDown = true;
            runFor(Duration.ofMinutes(5));
            assertThat(log.lines).singleElement().asString().contains("OUTBOX-0691", "clock");

            databaseIsDown = false;
            runFor(Duration.ofMinutes(5));
            assertThat(log.lines).hasSize(2).last().asString().contains("OUTBOX-0692", "clock");
        }
    }

    @Test
    void without_a_database_the_last_figures_stay_for_four_intervals_and_then_vanish() {
        runFor(Duration.ofSeconds(16));
        databaseIsDown = true;
        runFor(Duration.ofSeconds(50));
        assertThat(backend.isShown(READY)).isTrue();

        runFor(Duration.ofSeconds(30));
        assertThat(backend.isShown(READY)).isFalse();

        databaseIsDown = false;
        runFor(Duration.ofSeconds(16));
        assertThat(backend.isShown(READY)).isTrue();
    }

    @Test
    void after_the_stop_nothing_is_shown() {
        runFor(Duration.ofSeconds(16));
        sampler.end();
        runFor(Duration.ofSeconds(60));

        assertThat(backend.isShown(READY)).isFalse();
    }

    private void runFor(Duration time) {
        long end = now + time.toNanos();
        while (now < end) {
            now += sampler.round();
        }
    }
}
