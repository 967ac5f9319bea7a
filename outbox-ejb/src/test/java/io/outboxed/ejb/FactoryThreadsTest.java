package io.outboxed.ejb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.enterprise.concurrent.ManageableThread;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FactoryThreadsTest {
    private static final long PATIENCE_SECONDS = 30;

    /** As a server's factory does: it forgets a thread when it ends, and one that never runs never ends. */
    private final List<Thread> listed = new CopyOnWriteArrayList<>();

    private final FactoryThreads threads = new FactoryThreads(3, this::newThread);

    @AfterEach
    void close() {
        threads.close();
    }

    private Thread newThread(Runnable work) {
        Thread thread = new Thread(() -> {
            work.run();
            listed.remove(Thread.currentThread());
        });
        listed.add(thread);
        return thread;
    }

    @Test
    void threads_that_were_never_needed_are_forgotten_by_the_servers_factory() throws InterruptedException {
        threads.close();
        assertAllForgotten();
    }

    @Test
    void those_made_before_one_that_can_not_be_made_are_forgotten_too() throws InterruptedException {
        assertThatThrownBy(() -> new FactoryThreads(3, work -> {
                    if (listed.size() == 5) {
                        throw new IllegalStateException("no more threads");
                    }
                    return newThread(work);
                }))
                .hasMessage("no more threads");

        threads.close();
        assertAllForgotten();
    }

    @Test
    void one_that_the_server_no_longer_starts_does_not_hold_up_the_others() throws InterruptedException {
        List<Thread> all = new ArrayList<>(List.of(new RefusedThread(), new RefusedThread()));
        Iterator<Thread> refused = List.copyOf(all).iterator();
        FactoryThreads some = new FactoryThreads(4, work -> {
            if (refused.hasNext()) {
                return refused.next();
            }
            all.add(new Thread(work));
            return all.get(all.size() - 1);
        });

        assertThatThrownBy(some::close).isInstanceOf(IllegalStateException.class);
        for (Thread started : all.subList(2, 4)) {
            started.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            assertThat(started.getState()).isEqualTo(Thread.State.TERMINATED);
        }
    }

    private static final class RefusedThread extends Thread {
        @Override
        public synchronized void start() {
            throw new IllegalStateException("the application has ended");
        }
    }

    /** To wait for a task takes memory too, at least on Java 17. */
    @Test
    void threads_that_find_no_memory_while_they_wait_run_the_next_task() throws InterruptedException {
        CountDownLatch without = new CountDownLatch(2);
        CountDownLatch ran = new CountDownLatch(2);
        BlockingQueue<Runnable> queue = new LinkedBlockingQueue<>() {
            @Override
            public Runnable poll(long timeout, TimeUnit unit) throws InterruptedException {
                if (without.getCount() > 0) {
                    without.countDown();
                    throw new OutOfMemoryError("Java heap space");
                }
                return super.poll(timeout, unit);
            }
        };
        FactoryThreads some = new FactoryThreads(1, this::newThread, queue, () -> {});
        some.start();
        assertThat(without.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();

        some.execute(ran::countDown);
        some.execute(ran::countDown);

        assertThat(ran.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        some.close();
    }

    @Test
    void one_that_repeats_its_work_goes_on_after_an_error_and_an_interrupt() throws InterruptedException {
        CountDownLatch rounds = new CountDownLatch(4);
        FactoryThreads some = new FactoryThreads(1, this::newThread, new LinkedBlockingQueue<>(), () -> {
            rounds.countDown();
            if (rounds.getCount() == 2) {
                Thread.currentThread().interrupt();
            } else {
                throw new IllegalStateException("in a test");
            }
        });
        some.start();

        assertThat(rounds.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();

        some.close();
        threads.close();
        assertAllForgotten();
    }

    /** The application may be gone then. */
    @Test
    void one_that_repeats_its_work_begins_it_no_more_after_the_end() throws InterruptedException {
        List<String> late = new CopyOnWriteArrayList<>();
        AtomicReference<FactoryThreads> some = new AtomicReference<>();
        BlockingQueue<Runnable> ends = new LinkedBlockingQueue<>() {
            @Override
            public Runnable poll(long timeout, TimeUnit unit) {
                some.get().close();
                return null;
            }
        };
        some.set(new FactoryThreads(1, this::newThread, ends, () -> late.add("begun")));
        some.get().start();

        threads.close();
        assertAllForgotten();
        assertThat(late).isEmpty();
    }

    @Test
    void a_task_that_runs_ends_by_itself_and_no_other_begins() throws InterruptedException {
        CountDownLatch began = new CountDownLatch(3);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            threads.execute(() -> {
                began.countDown();
                awaitQuietly(release);
                ended.countDown();
            });
        }
        threads.start();
        assertThat(began.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        List<String> late = new CopyOnWriteArrayList<>();

        threads.execute(() -> late.add("begun"));
        threads.close();
        release.countDown();

        assertThat(ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertAllForgotten();
        assertThat(late).isEmpty();
    }

    @Test
    void an_interrupt_between_two_tasks_ends_no_thread() throws InterruptedException {
        try (OneThread one = new OneThread(false)) {
            one.interruptIdle();

            CountDownLatch done = new CountDownLatch(1);
            one.threads.execute(done::countDown);
            assertThat(done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void one_that_the_server_ends_is_ended_by_its_interrupt() throws InterruptedException {
        try (OneThread one = new OneThread(true)) {
            one.interruptIdle();

            one.thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            assertThat(one.thread.isAlive()).isFalse();
        }
    }

    private static final class OneThread implements AutoCloseable {
        private final FactoryThreads threads;
        private Thread thread;

        private OneThread(boolean isEndedByServer) {
            threads = new FactoryThreads(1, work -> thread = new ServerThread(work, isEndedByServer));
            threads.start();
        }

        /** Once it has run a task. */
        private void interruptIdle() throws InterruptedException {
            CountDownLatch done = new CountDownLatch(1);
            threads.execute(done::countDown);
            assertThat(done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            thread.interrupt();
        }

        @Override
        public void close() {
            threads.close();
        }
    }

    private static final class ServerThread extends Thread implements ManageableThread {
        private final boolean isShutdown;

        private ServerThread(Runnable work, boolean isShutdown) {
            super(work);
            this.isShutdown = isShutdown;
        }

        @Override
        public boolean isShutdown() {
            return isShutdown;
        }
    }

    private void assertAllForgotten() throws InterruptedException {
        for (Thread thread : List.copyOf(listed)) {
            thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        }
        assertThat(listed).isEmpty();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
