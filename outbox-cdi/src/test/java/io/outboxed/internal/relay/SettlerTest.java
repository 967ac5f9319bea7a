package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.store.Head;
import io.outboxed.internal.store.Lease;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.Settled;
import io.outboxed.internal.store.Settlement;
import io.outboxed.internal.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** The order in which successes are recorded while a row is in the hands of another transaction. */
class SettlerTest {
    private long now;
    private final MemoryStore memory = new MemoryStore(() -> now / 1000);
    private final Set<Long> locked = new HashSet<>();
    private final BlockingQueue<Call> successes = new LinkedBlockingQueue<>();
    private final List<Long> recorded = new ArrayList<>();
    private final Settler settler = new Settler(
            store(),
            successes,
            10,
            batch -> batch.forEach(call -> recorded.add(call.delivery().head().seq())),
            () -> now);

    private final Map<Long, Lane> lanes = new HashMap<>();

    @Test
    void a_held_row_holds_up_the_later_ones_of_its_lane_and_no_others() throws InterruptedException {
        success(1);
        success(1);
        success(2);
        locked.add(1L);
        settler.settleNext(0);
        assertThat(recorded).containsExactly(3L);

        success(1);
        success(2);
        settler.settleNext(0);
        assertThat(recorded).containsExactly(3L, 5L);
        assertThat(settler.isIdle()).isFalse();

        locked.clear();
        now += Duration.ofSeconds(1).toNanos();
        settler.settleNext(0);
        assertThat(recorded).containsExactly(3L, 5L, 1L, 2L, 4L);
        assertThat(settler.isIdle()).isTrue();
    }

    @Test
    void a_row_that_stays_held_keeps_the_order_behind_it() throws InterruptedException {
        success(1);
        success(1);
        locked.add(1L);
        settler.settleNext(0);
        now += Duration.ofSeconds(1).toNanos();
        settler.settleNext(0);
        assertThat(recorded).isEmpty();

        locked.clear();
        now += Duration.ofSeconds(1).toNanos();
        settler.settleNext(0);
        assertThat(recorded).containsExactly(1L, 2L);
    }

    private void success(long key) {
        Head head = memory.insert(UUID.randomUUID(), "mailed", key, 1, 0, "fine");
        Lease lease = new Lease(head.shard(), "me", 1);
        Run run = new Run(lanes.computeIfAbsent(key, k -> new Lane(k, head.shard())), lease, head, null);
        successes.add(new Call(run, new Delivery(head, null, "mail", 1, Settlement.LAST), lease, null));
    }

    private RelayStore store() {
        return (RelayStore) Proxy.newProxyInstance(
                RelayStore.class.getClassLoader(), new Class<?>[] {RelayStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("settle")) {
                        refuseLocked((List<?>) arguments[0]);
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** As MySQL says it: lock wait timeout exceeded. */
    private void refuseLocked(List<?> rows) {
        if (rows.stream().anyMatch(row -> locked.contains(((Settled) row).head().seq()))) {
            throw new StoreException("held", true, new SQLException("Lock wait timeout exceeded", "HY000", 1205));
        }
    }
}
