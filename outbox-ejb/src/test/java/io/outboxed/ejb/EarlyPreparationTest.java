package io.outboxed.ejb;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.boot.RelayStarter;
import io.outboxed.internal.boot.RolledBackTransaction;
import io.outboxed.internal.database.StoreException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** An event is published before the timer has run, perhaps inside {@code @Transactional}. */
class EarlyPreparationTest {
    private static final int PUBLISHERS = 50;

    private final List<String> done = new ArrayList<>();
    private final RelaySupervisor supervisor = new RelaySupervisor();

    /** As the container, which begins and rolls back around the call. */
    private final class Container extends RolledBackTransactionBean {
        @Override
        public Optional<Exception> run(RolledBackTransaction.Work work) {
            done.add("begin");
            try {
                work.run();
                return Optional.empty();
            } catch (Exception e) {
                return Optional.of(e);
            } finally {
                done.add("rollback");
            }
        }
    }

    private static final class Starter extends RelayStarter {
        private final RolledBackTransaction.Work work;

        private Starter(RolledBackTransaction.Work work) {
            this.work = work;
        }

        @Override
        public synchronized void prepare(RolledBackTransaction transaction) {
            try {
                transaction.run(work);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void the_database_is_tested_in_a_transaction_of_the_container() {
        assertThat(prepare(() -> done.add("write"))).isEmpty();
        assertThat(done).containsExactly("begin", "write", "rollback");
    }

    @Test
    void the_reason_why_the_test_failed_is_kept() {
        SQLException refused = new SQLException("refused");

        assertThat(prepare(() -> {
                    throw refused;
                }))
                .hasValueSatisfying(failure -> assertThat(failure).hasCause(refused));
        assertThat(done).containsExactly("begin", "rollback");
    }

    /** Else each publisher would hold its connection while the database is tried once more. */
    @Test
    void many_publishers_try_a_database_that_is_down_about_once_a_second() {
        assertThatItIsTriedOnceASecond(new StoreException("no connection", true, new SQLException("down", "08001")));
    }

    @Test
    void nor_do_they_repeat_all_checks_of_one_that_is_wrong_more_often() {
        assertThatItIsTriedOnceASecond(new StoreException("wrong", false, null));
    }

    private void assertThatItIsTriedOnceASecond(StoreException down) {
        DownStarter starter = new DownStarter(down);
        supervisor.starter = starter;
        long begun = System.nanoTime();

        for (int publisher = 0; publisher < PUBLISHERS; publisher++) {
            assertThat(supervisor.prepare()).containsSame(down);
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
        assertThat(starter.tries).isLessThanOrEqualTo(1 + (int) seconds);

        int before = starter.tries;
        await(() -> {
            assertThat(supervisor.prepare()).containsSame(down);
            return starter.tries > before;
        });
    }

    /** Those that have waited for it learn what it has found. */
    @Test
    void publishers_that_wait_for_a_try_do_not_try_again() throws Exception {
        StoreException down = new StoreException("no connection", true, new SQLException("down", "08001"));
        DownStarter starter = new DownStarter(down);
        supervisor.starter = starter;
        starter.answer = new CountDownLatch(1);
        Queue<Thread> threads = new ConcurrentLinkedQueue<>();
        ExecutorService publishers = Executors.newFixedThreadPool(PUBLISHERS, task -> {
            Thread thread = new Thread(task);
            threads.add(thread);
            return thread;
        });
        try {
            List<Future<Optional<RuntimeException>>> failures = new ArrayList<>();
            for (int publisher = 0; publisher < PUBLISHERS; publisher++) {
                failures.add(publishers.submit(supervisor::prepare));
            }
            await(() -> threads.stream()
                            .filter(thread -> thread.getState() == Thread.State.TIMED_WAITING)
                            .count()
                    == PUBLISHERS - 1);
            long failed = System.nanoTime();
            starter.answer.countDown();

            for (Future<Optional<RuntimeException>> failure : failures) {
                assertThat(failure.get()).containsSame(down);
            }
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - failed);
            assertThat(starter.tries).isLessThanOrEqualTo(1 + (int) seconds);
        } finally {
            publishers.shutdownNow();
        }
    }

    private static final class DownStarter extends RelayStarter {
        private final StoreException failure;
        private volatile CountDownLatch answer = new CountDownLatch(0);
        private int tries;

        private DownStarter(StoreException failure) {
            this.failure = failure;
        }

        @Override
        public synchronized void prepare(RolledBackTransaction transaction) {
            tries++;
            try {
                answer.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            throw failure;
        }
    }

    private static void await(BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.MINUTES.toNanos(1));
            Thread.onSpinWait();
        }
    }

    private Optional<RuntimeException> prepare(RolledBackTransaction.Work work) {
        supervisor.transaction = new Container();
        supervisor.starter = new Starter(work);
        return supervisor.prepare();
    }
}
