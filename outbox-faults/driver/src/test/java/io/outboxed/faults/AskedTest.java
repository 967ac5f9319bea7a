package io.outboxed.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class AskedTest {

    @Test
    void only_what_a_node_says_it_has_done_is_counted() {
        assertThat(List.of("1", "100")).allMatch(Asked::confirms);
        assertThat(Arrays.asList(null, "", "0", "an error page")).noneMatch(Asked::confirms);
    }
}
