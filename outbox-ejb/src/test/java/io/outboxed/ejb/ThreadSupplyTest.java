package io.outboxed.ejb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** However an executor behaves, exactly as many threads work as are wanted. */
class ThreadSupplyTest {
    private static final int WANTED = 5;

    private final ConcurrentLinkedQueue<String> workers = new ConcurrentLinkedQueue<>();
    private final List<Thread> reserve = new ArrayList<>();
    private final List<Runnable> called = new ArrayList<>();
    private final ThreadSupply supply = new ThreadSupply(this::work, reserve());

    private void work() {
        workers.add(Thread.currentThread().getName());
    }

    private List<Thread> reserve() {
        Stream.generate(() -> new Thread(this::work, "reserve")).limit(WANTED).forEach(reserve::add);
        return reserve;
    }

    @Test
    void without_an_executor_the_reserve_works() throws InterruptedException {
        assertThat(supply.fillUp()).isEqualTo(WANTED);

        assertThat(workers()).containsOnly("reserve").hasSize(WANTED);
    }

    @Test
    void an_executor_that_starts_everything_needs_no_reserve() throws InterruptedException {
        supply.callFrom(called::add);
        begin(WANTED, "executor");

        assertThat(supply.fillUp()).isZero();
        assertThat(workers()).containsOnly("executor").hasSize(WANTED);
    }

    @Test
    void the_reserve_runs_what_an_executor_does_not_start_and_a_late_start_does_nothing() throws InterruptedException {
        supply.callFrom(called::add);
        begin(2, "executor");

        assertThat(supply.fillUp()).isEqualTo(WANTED - 2);
        begin(WANTED - 2, "late");

        assertThat(workers()).containsExactlyInAnyOrder("executor", "executor", "reserve", "reserve", "reserve");
    }

    @Test
    void filling_up_twice_starts_no_worker_twice() throws InterruptedException {
        supply.fillUp();

        assertThat(supply.fillUp()).isZero();
        assertThat(workers()).hasSize(WANTED);
    }

    private void begin(int tasks, String name) throws InterruptedException {
        for (int i = 0; i < tasks; i++) {
            Thread thread = new Thread(called.remove(0), name);
            thread.start();
            thread.join();
        }
    }

    private ConcurrentLinkedQueue<String> workers() throws InterruptedException {
        for (Thread thread : reserve) {
            thread.join();
        }
        return workers;
    }
}
