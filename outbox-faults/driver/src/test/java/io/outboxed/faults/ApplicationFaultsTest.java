package io.outboxed.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApplicationFaultsTest {

    @Test
    void a_pool_counts_as_disturbed_until_its_last_connection_is_back() {
        // the one that was asked for last may come a minute later, when the pool was to be whole again
        assertThat(ApplicationFaults.patience(Fault.EXHAUST_POOL, 15_000)).isGreaterThan(Duration.ofSeconds(75));
        assertThat(List.of(Fault.REPLAY, Fault.BULK_RETRY))
                .allMatch(fault -> ApplicationFaults.patience(fault, 0).equals(Node.PATIENCE));
    }

    @Test
    void only_what_a_node_says_it_has_done_is_counted() {
        assertThat(List.of("1", "100")).allMatch(answer -> ApplicationFaults.confirms(Fault.REPLAY, answer));
        assertThat(Arrays.asList(null, "", "0", "an error page"))
                .noneMatch(answer -> ApplicationFaults.confirms(Fault.REPLAY, answer));
    }

    @Test
    void a_bulk_retry_is_asked_for_and_counts_if_something_waited() {
        assertThat(ApplicationFaults.contains(Fault.BULK_RETRY)).isTrue();
        assertThat(ApplicationFaults.confirms(Fault.BULK_RETRY, "1")).isTrue();
        assertThat(ApplicationFaults.confirms(Fault.BULK_RETRY, "0")).isFalse();
    }

    @Test
    void a_part_of_what_was_asked_for_is_not_counted() {
        assertThat(List.of("1", "2")).noneMatch(answer -> ApplicationFaults.confirms(Fault.HANGING_HANDLERS, answer));
        assertThat(ApplicationFaults.confirms(Fault.OUT_OF_MEMORY, "3")).isTrue();
        assertThat(ApplicationFaults.confirms(Fault.EXHAUST_POOL, "59")).isFalse();
        assertThat(ApplicationFaults.confirms(Fault.EXHAUST_POOL, "97")).isTrue();
    }
}
