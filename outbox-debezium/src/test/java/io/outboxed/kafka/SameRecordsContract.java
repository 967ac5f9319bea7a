package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.broker.TopicReader;
import java.io.IOException;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;

/** The same rows, sent by Debezium with the files that users run, and by the relay. */
abstract class SameRecordsContract {

    abstract CapturedDatabase database() throws IOException;

    @Test
    void debezium_and_the_relay_send_the_same_records() throws Exception {
        CapturedDatabase database = database();
        List<VariedEvent> events = VariedEvent.all();
        List<VariedEvent> ofSnapshot = events.subList(0, events.size() / 2);
        try (RealKafka kafka = RealKafka.cluster(1);
                StoredEvents stored = StoredEvents.in(database.server())) {
            VariedEvent.AGGREGATE_TYPES.forEach(type -> kafka.createTopic("events." + type));
            database.allowDebezium();
            VariedEvent.store(ofSnapshot, stored);
            long debeziumStarts = System.currentTimeMillis();
            try (ConnectWorker connect = database.startDebezium(kafka)) {
                connect.awaitSnapshot();
                VariedEvent.store(events.subList(ofSnapshot.size(), events.size()), stored);
                awaitArrived(kafka, events.size());
            }
            List<ConsumerRecord<String, byte[]>> ofDebezium = arrived(kafka);
            long relayStarts = System.currentTimeMillis();
            try (ForwardingNode relay = database.startRelay(stored, kafka)) {
                assertThat(relay).isNotNull();
                Patience.until("the relay has sent the same rows", () -> stored.left() == 0);
            }
            List<ConsumerRecord<String, byte[]>> ofRelay = arrived(kafka);
            ofRelay.removeIf(record -> isIn(ofDebezium, record));

            Map<String, List<SentRecord>> expected = SentRecord.byAggregate(events.stream()
                    .map(event -> SentRecord.of(event, database.format()))
                    .toList());
            assertThat(compared(ofDebezium)).isEqualTo(expected);
            assertThat(compared(ofRelay)).isEqualTo(expected);
            assertThat(ofDebezium)
                    .as("the time of sending, not that of the event")
                    .allSatisfy(record -> assertThat(record.timestamp()).isBetween(debeziumStarts, relayStarts));
            assertThat(ofRelay)
                    .allSatisfy(record ->
                            assertThat(record.timestamp()).isBetween(relayStarts, System.currentTimeMillis()));
        }
    }

    @Test
    void what_is_not_for_debezium_is_sent_otherwise_or_stops_the_connector() throws Exception {
        CapturedDatabase database = database();
        try (RealKafka kafka = RealKafka.cluster(1);
                StoredEvents stored = StoredEvents.in(database.server());
                Connection publisher = stored.open();
                Statement statement = publisher.createStatement()) {
            VariedEvent.AGGREGATE_TYPES.forEach(type -> kafka.createTopic("events." + type));
            database.allowDebezium();
            VariedEvent.store(VariedEvent.all().subList(0, 3), stored);
            statement.executeUpdate("UPDATE outbox_message SET payload = NULL WHERE type = 'type.0'");
            statement.executeUpdate("UPDATE outbox_message SET delay_micros = 3600000000 WHERE type = 'type.1'");
            try (ConnectWorker connect = database.startDebezium(kafka)) {
                connect.awaitSnapshot();
                awaitArrived(kafka, 3);
                assertThat(arrived(kafka))
                        .as("null instead of bytes, and a delayed event at once")
                        .extracting(record -> record.value() == null)
                        .containsExactlyInAnyOrder(true, false, false);
                statement.executeUpdate("INSERT INTO outbox_message (id, shard, lane, type, payload)"
                        + " SELECT id, shard, lane, 'without aggregate', payload FROM outbox_message"
                        + " WHERE type = 'type.2'");
                connect.awaitFailure();
            }
        }
    }

    private static void awaitArrived(RealKafka kafka, int records) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", kafka.address()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = VariedEvent.AGGREGATE_TYPES.stream()
                    .flatMap(type -> consumer.partitionsFor("events." + type).stream())
                    .map(each -> new TopicPartition(each.topic(), each.partition()))
                    .toList();
            Patience.until(
                    records + " records have arrived",
                    () -> consumer.endOffsets(partitions).values().stream()
                                    .mapToLong(Long::longValue)
                                    .sum()
                            >= records);
        }
    }

    private static boolean isIn(List<ConsumerRecord<String, byte[]>> earlier, ConsumerRecord<String, byte[]> record) {
        return earlier.stream()
                .anyMatch(each -> each.topic().equals(record.topic())
                        && each.partition() == record.partition()
                        && each.offset() == record.offset());
    }

    private static Map<String, List<SentRecord>> compared(List<ConsumerRecord<String, byte[]>> records) {
        return SentRecord.byAggregate(records.stream().map(SentRecord::of).toList());
    }

    private static List<ConsumerRecord<String, byte[]>> arrived(RealKafka kafka) {
        List<ConsumerRecord<String, byte[]>> all = new ArrayList<>();
        VariedEvent.AGGREGATE_TYPES.forEach(type -> all.addAll(TopicReader.all(kafka, "events." + type)));
        return all;
    }
}
