package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.store.Decision;
import io.outboxed.internal.store.Lease;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.StoreException;
import io.outboxed.internal.store.WaitingLane;
import java.lang.reflect.Proxy;
import java.sql.SQLTransientException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an outage keeps from the database is not forgotten. */
class DecisionsTest {
    private static final long HELD_LANE = 222_222;

    private final List<Lease> decided = new ArrayList<>();
    private boolean down = true;
    private boolean heldBySomebody = true;
    private long now;

    @Test
    void an_outage_postpones_the_decisions_of_every_shard() {
        Lease first = new Lease(1, "me", 1);
        Lease second = new Lease(2, "me", 1);
        Decisions decisions = decisions();
        List<Integer> done = new ArrayList<>();
        for (Lease lease : List.of(first, second)) {
            decisions.add(
                    lease,
                    new Lane(lease.shard(), lease.shard()),
                    new Decision.Postpone(new WaitingLane(lease.shard(), lease.shard(), "mail"), 1),
                    () -> done.add(lease.shard()));
        }

        assertThat(decisions.carryOut()).isFalse();
        down = false;
        assertThat(decisions.carryOut()).isTrue();

        assertThat(decided).containsExactly(first, second);
        assertThat(done).containsExactly(1, 2);
    }

    @Test
    void a_row_in_foreign_hands_holds_up_nothing_but_its_own_decision() {
        down = false;
        Decisions decisions = decisions();
        List<Long> done = new ArrayList<>();
        Lease lease = new Lease(1, "me", 1);
        for (long lane : List.of(1L, HELD_LANE, 3L)) {
            decisions.add(
                    lease,
                    new Lane(lane, 1),
                    new Decision.Postpone(new WaitingLane(lane, 1, "mail"), 1),
                    () -> done.add(lane));
        }

        assertThat(decisions.carryOut()).as("the rest of the turn goes on").isTrue();
        assertThat(done).containsExactly(1L, 3L);
        assertThat(decisions.anyToCarryOutNow()).isFalse();
        assertThat(decisions.isEmpty()).isFalse();

        heldBySomebody = false;
        now += 1_000_000_000L;
        assertThat(decisions.carryOut()).isTrue();
        assertThat(done).containsExactly(1L, 3L, HELD_LANE);
        assertThat(decisions.isEmpty()).isTrue();
    }

    private Decisions decisions() {
        return new Decisions(store(), lost -> {}, refused -> {}, () -> now);
    }

    private RelayStore store() {
        return (RelayStore) Proxy.newProxyInstance(
                RelayStore.class.getClassLoader(), new Class<?>[] {RelayStore.class}, (proxy, method, arguments) -> {
                    if (down) {
                        throw new StoreException("the database is down", true, null);
                    }
                    if (heldBySomebody && arguments[1].toString().contains("lane=" + HELD_LANE)) {
                        throw new StoreException("held", true, new SQLTransientException("held", "55P03"));
                    }
                    decided.add((Lease) arguments[0]);
                    return null;
                });
    }
}
