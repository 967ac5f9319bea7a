package io.outboxed.internal.relay.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

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
}
