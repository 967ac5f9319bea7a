package io.outboxed.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class AskedTest {

    @Test
    void a_pool_counts_as_disturbed_until_its_last_connection_is_back() {
        // to take the last one may have to wait for up to a minute, longer than the pool was to be exhausted
        assertThat(Asked.patience(Fault.EXHAUST_POOL, 15_000)).isGreaterThan(Duration.ofSeconds(75));
        assertThat(Asked.patience(Fault.REPLAY, 0)).isEqualTo(Node.PATIENCE);
    }

    @Test
    void only_what_a_node_says_it_has_done_is_counted() {
        assertThat(List.of("1", "100")).allMatch(Asked::confirms);
        assertThat(Arrays.asList(null, "", "0", "an error page")).noneMatch(Asked::confirms);
    }
}
