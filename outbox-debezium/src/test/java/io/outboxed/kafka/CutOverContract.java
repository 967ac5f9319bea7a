package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.broker.TopicHistory;
import io.outboxed.servers.broker.TopicReader;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Events leave by the relay, then by Debezium, then by the relay again, while the application goes on publishing. */
abstract class CutOverContract {
    private static final String TOPIC = "events.order";
    private static final int AGGREGATES = 20;
    private static final int ROUNDS = 15;
    /** 128 events for each of the relay's workers. */
    private static final int MAX_UNRECORDED =
            128 * OutboxConfig.DEFAULTS.relay().workers();

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
                try (ForwardingNode relay = database.startRelay(stored, kafka)) {
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
                try (ForwardingNode relay = database.startRelay(stored, kafka)) {
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
        }
    }

    /** Between the broker's confirmation and its record in the database. */
    @Test
    void if_the_relay_is_killed_at_the_change_debezium_repeats_only_what_it_had_not_recorded() throws Exception {
        CapturedDatabase database = database();
        try (RealKafka kafka = RealKafka.cluster(1);
                StoredEvents stored = StoredEvents.in(database.server())) {
            kafka.createTopic(TOPIC);
            database.allowDebezium();
            int published;
            try (Publishing publishing = new Publishing(stored, AGGREGATES)) {
                assertThat(database.runRelay(stored, kafka, ROUNDS * AGGREGATES))
                        .isEqualTo(ForwarderProgram.DEAD);
                try (ConnectWorker connect = database.startDebezium(kafka)) {
                    assertThat(connect).isNotNull();
                    published = publishing.end();
                    Patience.until(
                            "everything has arrived",
                            () -> TopicHistory.of(kafka, TOPIC).distinct() == published);
                }
            }
            TopicHistory history = TopicHistory.of(kafka, TOPIC);
            System.out.println(database.files() + ", killed: " + published + " published, " + history);
            assertThat(history.gaps()).isEmpty();
            assertThat(history.stale()).isEmpty();
            assertThat(history.duplicates()).isBetween(1, MAX_UNRECORDED);
            assertThat(history.mostRepetitions()).isLessThanOrEqualTo(1);
        }
    }

    private static void awaitRounds(String sender, RealKafka kafka, int before) {
        Patience.until(sender + " has sent events", () -> arrived(kafka) >= before + ROUNDS * AGGREGATES);
    }

    private static int arrived(RealKafka kafka) {
        int[] count = {0};
        TopicReader.each(kafka, TOPIC, record -> count[0]++);
        return count[0];
    }
}
