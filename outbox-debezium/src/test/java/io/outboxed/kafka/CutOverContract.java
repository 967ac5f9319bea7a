package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.broker.TopicHistory;
import io.outboxed.servers.broker.TopicReader;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;

/** Events leave by the relay, then by Debezium, then by the relay again, while the application goes on publishing. */
abstract class CutOverContract {
    private static final String TOPIC = "events.order";
    private static final int AGGREGATES = 20;
    private static final int ROUNDS = 15;

    abstract CapturedDatabase database() throws IOException;

    @Test
    void from_the_relay_to_debezium_and_back_nothing_is_lost_or_reordered() throws Exception {
        CapturedDatabase database = database();
        try (RealKafka kafka = RealKafka.cluster(1);
                StoredEvents stored = StoredEvents.in(database.server())) {
            kafka.createTopic(TOPIC);
            database.allowDebezium();
            int published;
            try (Publishing publishing = new Publishing(stored, AGGREGATES)) {
                try (ForwardingNode relay = relay(stored, kafka)) {
                    assertThat(relay).isNotNull();
                    awaitRounds("the relay", kafka, 0);
                }
                try (ConnectWorker connect = database.startDebezium(kafka)) {
                    assertThat(connect).isNotNull();
                    awaitRounds("Debezium", kafka, arrived(kafka));
                    // the first ones were in the snapshot
                    awaitRounds("Debezium", kafka, arrived(kafka));
                }
                Set<UUID> sent = new HashSet<>();
                TopicReader.each(kafka, TOPIC, record -> sent.add(TopicHistory.id(record)));
                stored.remove(sent);
                try (ForwardingNode relay = relay(stored, kafka)) {
                    assertThat(relay).isNotNull();
                    published = publishing.end();
                    Patience.until("everything is sent", () -> stored.left() == 0);
                }
            }
            TopicHistory history = TopicHistory.of(kafka, TOPIC);
            System.out.println(database.files() + ": " + published + " published, " + history);
            assertThat(history.distinct()).isEqualTo(published);
            assertThat(history.gaps()).isEmpty();
            assertThat(history.backwards()).isEmpty();
            assertThat(history.duplicates()).isZero();
            sameRecords(kafka);
        }
    }

    private static void awaitRounds(String sender, RealKafka kafka, int before) {
        Patience.until(sender + " has sent events", () -> arrived(kafka) >= before + ROUNDS * AGGREGATES);
    }

    /** Kept apart by the headers with which Debezium says where a record comes from. */
    private static void sameRecords(RealKafka kafka) {
        Map<Boolean, ConsumerRecord<String, byte[]>> oneOfEach = new HashMap<>();
        TopicReader.each(kafka, TOPIC, record -> oneOfEach.putIfAbsent(isOfDebezium(record), record));
        assertThat(oneOfEach).hasSize(2);
        assertThat(oneOfEach.values()).allSatisfy(record -> {
            assertThat(record.key()).startsWith("o-");
            assertThat(record.headers())
                    .filteredOn(header -> !isOfDebezium(header))
                    .extracting(Header::key)
                    .containsExactly("id");
        });
    }

    private static boolean isOfDebezium(ConsumerRecord<String, byte[]> record) {
        for (Header header : record.headers()) {
            if (isOfDebezium(header)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfDebezium(Header header) {
        return header.key().startsWith("__debezium");
    }

    private static int arrived(RealKafka kafka) {
        int[] count = {0};
        TopicReader.each(kafka, TOPIC, record -> count[0]++);
        return count[0];
    }

    private static ForwardingNode relay(StoredEvents stored, RealKafka kafka) {
        KafkaSettings settings = ForwardingNode.settings(kafka.address(), TOPIC, Map.of());
        return new ForwardingNode(
                stored::open,
                new KafkaSettings(
                        new Routes(Map.of("*", "events.{aggregateType}")),
                        WireFormat.DEBEZIUM,
                        settings.source(),
                        settings.skipUnrouted(),
                        settings.strict(),
                        settings.producer()),
                Duration.ofSeconds(10));
    }
}
