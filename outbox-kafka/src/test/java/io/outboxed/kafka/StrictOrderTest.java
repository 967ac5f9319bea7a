package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.broker.TopicHistory;
import io.outboxed.servers.broker.TopicReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A forwarder is frozen with the first event of an aggregate for longer than its lease. Its successor sends this event
 * and the next one. Then the frozen one goes on where it was. Two scenes at a time, since they mostly wait for leases.
 */
class StrictOrderTest {
    /** The forwarder's first record waits for the topic's metadata, for 40 % of this, on a busy machine. */
    private static final Duration LEASE = Duration.ofSeconds(8);

    private static final int SCENES = 5;

    private static final RealKafka KAFKA = RealKafka.shared();

    /**
     * That it can happen is shown, not that it always does: a relay that wakes interrupts the calls of its lost shards,
     * and may be faster than the call.
     */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void without_strict_mode_the_record_of_a_frozen_forwarder_comes_behind_a_later_one()
            throws SQLException, IOException {
        for (int scene = 1; scene <= SCENES; scene++) {
            String topic = "frozen-not-strict-" + scene;
            if (olderValueIsTheLastOne(topic)) {
                assertThat(TopicHistory.of(KAFKA, topic).stale())
                        .as("what the long run would see")
                        .containsExactly("o-0: 1 instead of 2");
                return;
            }
        }
        throw new AssertionError("in none of " + SCENES + " scenes an older value came behind a later one");
    }

    private static boolean olderValueIsTheLastOne(String topic) throws SQLException, IOException {
        try (Scene scene = new Scene(topic, false, FreezesOnce.Point.SEND)) {
            scene.forward(1, 2);
            assertThat(values(TopicReader.all(KAFKA, topic))).containsExactly("1", "2");
            scene.frozen.thaw();
            long deadline = System.nanoTime() + LEASE.multipliedBy(2).toNanos();
            while (System.nanoTime() < deadline) {
                if (values(TopicReader.all(KAFKA, topic)).equals(List.of("1", "2", "1"))) {
                    return true;
                }
            }
            return false;
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void in_strict_mode_kafka_refuses_the_record_of_a_frozen_forwarder() throws SQLException, IOException {
        assertThat(afterTheFreeze("frozen-strict", FreezesOnce.Point.SEND)).containsExactly("1", "2", "3", "4");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void in_strict_mode_kafka_aborts_the_transaction_of_a_frozen_forwarder() throws SQLException, IOException {
        String topic = "frozen-before-commit";
        assertThat(afterTheFreeze(topic, FreezesOnce.Point.CONFIRMED)).containsExactly("1", "2", "3", "4");
        assertThat(TopicReader.all(KAFKA, topic))
                .as("with what was aborted")
                .hasSizeGreaterThan(TopicReader.committed(KAFKA, topic).size());
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void in_strict_mode_a_forwarder_that_was_frozen_before_it_could_fence_others_sends_nothing_old()
            throws SQLException, IOException {
        assertThat(afterTheFreeze("frozen-before-opening", FreezesOnce.Point.OPEN))
                .containsExactly("1", "2", "3", "4");
    }

    private static List<String> afterTheFreeze(String topic, FreezesOnce.Point at) throws SQLException, IOException {
        try (Scene scene = new Scene(topic, true, at)) {
            scene.forward(1, 2);
            scene.frozen.thaw();
            scene.forward(3);
            scene.successor.close();
            // after what it had begun before
            scene.forward(4);
        }
        return values(TopicReader.committed(KAFKA, topic));
    }

    private static final class Scene implements AutoCloseable {
        private final StoredEvents stored = StoredEvents.inH2();
        private final FrozenForwarder frozen;
        private final ForwardingNode successor;

        private Scene(String topic, boolean strict, FreezesOnce.Point at) throws SQLException, IOException {
            KAFKA.createTopic(topic);
            stored.publish(1, 1, 1);
            frozen =
                    FrozenForwarder.start(stored, KAFKA, topic, LEASE, strict ? List.of("strict=true") : List.of(), at);
            successor = new ForwardingNode(
                    stored::open,
                    ForwardingNode.settings(KAFKA.address(), topic, strict, ForwarderProgram.withinLease(LEASE)),
                    LEASE);
        }

        /** By whoever has the shard. Number 1 is there from the start. */
        private void forward(int... numbers) throws SQLException {
            for (int number : numbers) {
                if (number > 1) {
                    stored.publish(1, 1, number);
                }
                Patience.until("event " + number + " is forwarded", () -> stored.left() == 0);
            }
        }

        @Override
        public void close() throws SQLException {
            successor.close();
            frozen.close();
            stored.close();
        }
    }

    /** A value once if it was sent again at once, because the broker was slow. */
    private static List<String> values(List<ConsumerRecord<String, byte[]>> records) {
        List<String> values = new ArrayList<>(List.of(""));
        for (ConsumerRecord<String, byte[]> record : records) {
            String value = new String(record.value(), StandardCharsets.UTF_8);
            if (!values.get(values.size() - 1).equals(value)) {
                values.add(value);
            }
        }
        return values.subList(1, values.size());
    }
}
