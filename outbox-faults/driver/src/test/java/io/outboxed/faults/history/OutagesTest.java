package io.outboxed.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OutagesTest {

    @Test
    void redeployments_are_not_counted_as_stops() {
        Outages outages = new Outages();
        outages.add("node-1", Outages.STOPPED, 1_000, 2_000);
        outages.add("node-3", Outages.REDEPLOYED, 1_000, 2_000);
        outages.begin("node-3", Outages.REDEPLOYED);

        assertThat(outages.count(Outages.REDEPLOYED)).isEqualTo(2);
        assertThat(outages.count(Outages.STOPPED)).isEqualTo(1);
    }
}
