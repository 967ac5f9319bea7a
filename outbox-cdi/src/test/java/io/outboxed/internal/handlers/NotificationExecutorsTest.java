package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.relay.Await;
import io.outboxed.internal.relay.Notifications;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What the application can take from the relay while it is told something. */
class NotificationExecutorsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Threads that have been asked for and have not begun: what they are to run hangs. */
    private final List<Runnable> threads = new ArrayList<>();

    private final NotificationExecutors notifications = NotificationExecutors.on(threads::add);

    @Test
    void observers_of_dead_letters_failure_handlers_and_the_log_have_threads_of_their_own() {
        for (int i = 0; i < 10; i++) {
            notifications.failures().forEach(each -> each.execute(() -> {}));
        }
        assertThat(threads).as("one for each of four failure handlers").hasSize(4);
        for (int i = 0; i < 10; i++) {
            notifications.deadLetters().execute(() -> {});
        }
        assertThat(threads).as("two for observers of dead letters").hasSize(4 + 2);
        for (int i = 0; i < 10; i++) {
            notifications.log().execute(() -> {});
        }
        assertThat(threads).hasSize(Notifications.THREADS);
    }

    @Test
    void at_the_end_the_log_is_still_written_and_the_application_is_told_nothing_more() {
        List<String> done = new ArrayList<>();
        notifications.deadLetters().execute(() -> done.add("dead letter"));
        notifications.failures().get(3).execute(() -> done.add("failure"));
        notifications.log().execute(() -> done.add("line"));

        notifications.end(Duration.ZERO);
        notifications.log().execute(() -> done.add("later line"));
        threads.forEach(Runnable::run);

        assertThat(done).containsExactly("line", "later line");
    }

    @Test
    void at_the_end_what_the_application_does_in_time_is_not_interrupted() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        notifications.deadLetters().execute(() -> {
            begun.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                interrupted.set(true);
            }
        });
        Thread observer = new Thread(threads.remove(0));
        observer.start();
        begun.await();

        Thread stopping = new Thread(() -> notifications.end(PATIENCE));
        stopping.start();
        Await.until(
                "the end waits for it",
                PATIENCE,
                () -> stopping.getState() == Thread.State.TIMED_WAITING,
                () -> stopping.getState() + ", interrupted: " + interrupted);
        released.countDown();
        stopping.join(PATIENCE.toMillis());
        observer.join(PATIENCE.toMillis());

        assertThat(stopping.isAlive()).isFalse();
        assertThat(interrupted).isFalse();
    }

    @Test
    void the_log_keeps_everything_and_what_can_not_wait_is_written_by_the_caller() {
        List<Integer> written = new ArrayList<>();
        for (int i = 0; i < 1_100; i++) {
            int number = i;
            notifications.log().execute(() -> written.add(number));
        }
        assertThat(written).as("its queue is full").hasSize(1_000).startsWith(100);

        threads.remove(0).run();

        assertThat(written).hasSize(1_100).doesNotHaveDuplicates();
    }

    @Test
    void what_waits_is_bounded_and_what_is_dropped_is_logged_once_until_none_waits() {
        try (CapturedLog log = new CapturedLog()) {
            List<Integer> reported = new ArrayList<>();
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < 1_100; i++) {
                    int number = i;
                    notifications.failures().get(0).execute(() -> reported.add(number));
                }
                threads.remove(0).run();
            }

            assertThat(reported).hasSize(2_000);
            assertThat(log.lines)
                    .filteredOn(line -> line.contains("OUTBOX-0598"))
                    .hasSize(2);
        }
    }
}
