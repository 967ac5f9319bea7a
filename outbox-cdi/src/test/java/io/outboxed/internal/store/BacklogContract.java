package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.store.StoreFixture.Draft;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is stored and not done. A message that has been due for an hour has a delay of minus one hour. */
interface BacklogContract extends StoreContract {
    Duration AN_HOUR = Duration.ofHours(1);
    Duration A_BIT_MORE = Duration.ofMinutes(90);

    @Test
    default void an_empty_outbox_has_no_backlog() {
        assertThat(store().statistics().backlog()).isEqualTo(new Backlog(0, 0, 0, 0, 0, 0, Duration.ZERO));
    }

    @Test
    default void each_row_is_counted_in_its_state() {
        publish();
        publish();
        publish();
        MessageHead parked = publish();
        write(new FencedWrite.Park(LANE, List.of(parked)));
        write(resolve(publish(), retry("A", HOUR), retry("B", HOUR)));
        MessageHead elsewhere = inOtherLane(0);
        write(resolve(elsewhere, blocked("A")));
        write(resolve(publish(), dead("A")));

        Backlog backlog = store().statistics().backlog();

        assertThat(backlog.ready()).isEqualTo(3);
        assertThat(backlog.parked()).isEqualTo(1);
        assertThat(backlog.waiting()).isEqualTo(2);
        assertThat(backlog.blocked()).isEqualTo(1);
        assertThat(backlog.blockedAggregates()).isEqualTo(1);
        assertThat(backlog.dead()).as("a blocking dead letter counts as well").isEqualTo(2);
    }

    @Test
    default void counting_stops_at_the_limit() {
        publish();
        publish();
        publish();
        write(resolve(publish(), retry("A", HOUR), retry("B", HOUR), retry("C", HOUR)));
        write(resolve(publish(), dead("A"), dead("B"), dead("C")));

        Backlog backlog = store().statistics().backlog(2);

        assertThat(backlog.ready()).isEqualTo(2);
        assertThat(backlog.waiting()).isEqualTo(2);
        assertThat(backlog.dead()).isEqualTo(2);
    }

    @Test
    default void what_is_ready_has_an_age() {
        publish();
        bench().publish(Draft.inLane(LANE + 1).delay(-HOUR));

        assertThat(oldest()).isBetween(AN_HOUR, A_BIT_MORE);
    }

    @Test
    default void what_waits_for_its_next_try_keeps_aging() {
        write(resolve(dueSinceAnHour(), retry("A", HOUR)));
        publish();

        assertThat(oldest()).isBetween(AN_HOUR, A_BIT_MORE);
    }

    @Test
    default void what_is_parked_keeps_aging() {
        write(new FencedWrite.Park(LANE, List.of(dueSinceAnHour())));

        assertThat(oldest()).isBetween(AN_HOUR, A_BIT_MORE);
    }

    @Test
    default void what_is_delayed_has_no_age_before_it_is_due() {
        MessageHead delayed = bench().publish(Draft.inLane(LANE).delay(HOUR));
        assertThat(oldest()).isEqualTo(Duration.ZERO);

        write(new FencedWrite.Park(LANE, List.of(delayed)));

        assertThat(store().statistics().backlog().parked()).isEqualTo(1);
        assertThat(oldest()).isEqualTo(Duration.ZERO);
    }

    @Test
    default void an_aggregate_that_waits_for_an_operator_does_not_raise_the_oldest_age() {
        write(resolve(dueSinceAnHour(), blocked("A")));
        write(resolve(dueSinceAnHour(), retry("A", 0)));

        Backlog backlog = store().statistics().backlog();

        assertThat(backlog.oldestAge()).isEqualTo(Duration.ZERO);
        assertThat(backlog.blockedAggregates()).isEqualTo(1);
        assertThat(backlog.blocked())
                .as("including what waits behind the blocked one")
                .isEqualTo(2);
        assertThat(backlog.waiting()).isZero();
    }

    @Test
    default void beside_a_blocked_handler_the_others_still_age() {
        MessageHead head = dueSinceAnHour();
        write(resolve(head, blocked("A"), retry("B", HOUR)));

        assertThat(oldest()).isBetween(AN_HOUR, A_BIT_MORE);
        assertThat(store().statistics().backlog().blockedAggregates()).isEqualTo(1);
    }

    @Test
    default void the_count_of_blocked_aggregates_stops() {
        write(resolve(publish(), blocked("A")));
        write(resolve(bench().publish(Draft.inLane(LANE + LaneHash.SHARDS)), blocked("A")));

        assertThat(store().statistics().backlog().blockedAggregates()).isEqualTo(2);
        assertThat(store().statistics().backlog(1).blockedAggregates()).isEqualTo(1);
    }

    @Test
    default void an_aggregate_blocked_for_two_handlers_is_one_aggregate() {
        write(resolve(publish(), blocked("A"), blocked("B")));

        assertThat(store().statistics().backlog().blockedAggregates()).isEqualTo(1);
    }

    @Test
    default void the_clock_is_the_one_that_dates_the_messages() {
        MessageHead head = publish();
        Instant created = store().reads().bodies(List.of(head.seq())).get(0).createdAt();

        Instant clock = Instant.EPOCH.plusNanos(store().statistics().clock() * 1000);

        assertThat(clock).isAfterOrEqualTo(created).isBefore(created.plus(AN_HOUR));
    }

    private Duration oldest() {
        return store().statistics().backlog().oldestAge();
    }

    private MessageHead dueSinceAnHour() {
        return bench().publish(Draft.inLane(LANE).delay(-HOUR));
    }

    private MessageHead inOtherLane(long delay) {
        return bench().publish(Draft.inLane(LANE + 64).delay(delay));
    }
}
