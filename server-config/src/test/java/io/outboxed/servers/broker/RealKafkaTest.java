package io.outboxed.servers.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.process.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a cluster gets its ports. */
@Timeout(150)
class RealKafkaTest {

    @Test
    void a_port_that_another_process_has_taken_costs_another_attempt() throws IOException {
        try (ServerSocket taken = new ServerSocket(FreePort.any(), 1, InetAddress.getLoopbackAddress())) {
            Iterator<Integer> first = List.of(taken.getLocalPort()).iterator();
            try (RealKafka kafka = RealKafka.cluster(1, () -> first.hasNext() ? first.next() : FreePort.any())) {
                assertThat(kafka.address()).doesNotContain(":" + taken.getLocalPort());
                kafka.createTopic("orders");
            }
        }
    }

    @Test
    void a_port_that_is_drawn_twice_is_used_once() {
        int drawn = FreePort.any();
        Iterator<Integer> first = List.of(drawn, drawn).iterator();
        try (RealKafka kafka = RealKafka.cluster(1, () -> first.hasNext() ? first.next() : FreePort.any())) {
            assertThat(kafka.address()).endsWith(":" + drawn);
            assertThat(kafka.loginAddress()).doesNotEndWith(":" + drawn);
            kafka.createTopic("orders");
        }
    }
}
