package io.outboxed.internal.store.jdbc.locks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What no database of the tests is; everything else is tested on real ones. */
class LaneLockProbeTest {

    @Test
    void a_server_of_a_galera_cluster_is_recognised() {
        assertThat(LaneLockProbe.isGalera(List.of("ON"))).isTrue();
        assertThat(LaneLockProbe.isGalera(List.of("on"))).isTrue();
    }

    @Test
    void a_server_without_galera_or_with_galera_switched_off_is_not_taken_for_one() {
        assertThat(LaneLockProbe.isGalera(List.of("OFF"))).isFalse();
        assertThat(LaneLockProbe.isGalera(List.of())).isFalse();
    }
}
