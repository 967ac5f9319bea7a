package io.outboxed.internal.relay.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.relay.SilentLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SilentLog.class)
class RelayThreadTest {
    private final RelayThread thread = new RelayThread("acknowledger", () -> 0, () -> true);

    @Test
    void a_thread_that_could_not_be_had_has_ended_and_is_started_again() {
        assertThatThrownBy(() -> thread.start(task -> {
                    throw new OutOfMemoryError("unable to create native thread");
                }))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(thread.hasEnded()).isTrue();

        List<Runnable> started = new ArrayList<>();
        thread.restartIfEnded(started::add);

        assertThat(started).hasSize(1);
        assertThat(thread.hasEnded()).isFalse();
    }

    @Test
    void its_rounds_that_another_thread_does_have_their_pauses_too() throws InterruptedException {
        AtomicInteger rounds = new AtomicInteger();
        RelayThread beating = new RelayThread(
                "membership",
                () -> {
                    rounds.incrementAndGet();
                    return 1_000;
                },
                () -> false);
        Thread.currentThread().interrupt();
        beating.start(Runnable::run);
        assertThat(beating.hasEnded()).isTrue();
        rounds.set(0);

        beating.awaitEnd(0, 1);
        beating.awaitEnd(999, 1);
        assertThat(rounds).hasValue(1);

        beating.awaitEnd(1_000, 1);
        assertThat(rounds).hasValue(2);
    }
}
