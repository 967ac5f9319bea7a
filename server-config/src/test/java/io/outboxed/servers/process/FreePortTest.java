package io.outboxed.servers.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FreePortTest {

    @Test
    void a_free_port_is_none_that_an_outgoing_connection_could_take() throws IOException {
        assertThat(IntStream.range(0, 50).map(attempt -> FreePort.anyBelow(12_000)))
                .allSatisfy(port -> assertThat(port).isBetween(10_000, 11_999));
        try (ServerSocket assigned = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(FreePort.firstEphemeral()).isLessThanOrEqualTo(assigned.getLocalPort());
        }
    }

    @Test
    void where_nearly_all_ports_are_for_outgoing_connections_one_of_them_is_taken() {
        assertThat(FreePort.anyBelow(1_024)).isGreaterThanOrEqualTo(1_024);
    }

    @Test
    void a_port_that_is_bound_is_not_free() throws IOException {
        try (ServerSocket bound = new ServerSocket(FreePort.any(), 1, InetAddress.getLoopbackAddress())) {
            assertThat(FreePort.isFree(bound.getLocalPort())).isFalse();
        }
    }
}
