package io.outboxed.servers.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.process.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
    void a_port_that_is_drawn_twice_is_used_once(@TempDir Path directory) {
        Iterator<Integer> drawn = List.of(1, 1, 2, 1, 3, 3, 4, 5, 6).iterator();
        List<BrokerNode> nodes = RealKafka.nodes(2, directory, drawn::next);

        assertThat(nodes).extracting(BrokerNode::address).containsExactly("127.0.0.1:1", "127.0.0.1:4");
        assertThat(nodes).extracting(BrokerNode::loginAddress).containsExactly("127.0.0.1:2", "127.0.0.1:5");
        assertThat(nodes).extracting(BrokerNode::voter).containsExactly("1@127.0.0.1:3", "2@127.0.0.1:6");
    }
}
