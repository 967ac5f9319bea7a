package io.outboxed.internal.relay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.relay.SilentLog;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Memory is lacking once, in the middle of what the loop and the workers note. */
@ExtendWith(SilentLog.class)
class OutOfMemoryInjectionTest {
    private final ClassLoader classes = new InstrumentingClassLoader(getClass().getClassLoader());

    @Test
    void every_event_is_delivered_wherever_memory_is_lacking() {
        Map<String, String> wrong = new TreeMap<>();
        Supplier<String> undisturbed = node();
        Map<String, Integer> places =
                AllocationPoints.count(() -> assertThat(undisturbed.get()).isEmpty());
        assertThat(places).hasSizeGreaterThan(500);

        places.forEach((place, times) -> {
            int time = (times + 1) / 2;
            Supplier<String> node = node();
            AllocationPoints.fail(place, time);
            String left = node.get();
            if (!left.isEmpty() || !AllocationPoints.hasFailed()) {
                wrong.put(place + ", time " + time + " of " + times, left);
            }
        });

        assertThat(wrong).isEmpty();
    }

    @SuppressWarnings("unchecked")
    private Supplier<String> node() {
        try {
            return (Supplier<String>) classes.loadClass(ThreadlessNode.class.getName())
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
