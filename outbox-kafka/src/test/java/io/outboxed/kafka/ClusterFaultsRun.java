package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.broker.TopicHistory;
import io.outboxed.servers.database.RealPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The long run: three brokers, two forwarders and PostgreSQL in processes of their own. Not part of {@code mvn verify}:
 * {@code mvn -Pkafka-faults -pl outbox-kafka -am}, and docs/kafka.md for what came out.
 */
class ClusterFaultsRun {
    private static final int RECORDS = Integer.getInteger("kafka.records", 500_000);
    private static final int FAULTS = Integer.getInteger("kafka.faults", 30);
    private static final long SEED = Long.getLong("kafka.seed", 1);
    private static final int AGGREGATES = 1_000;
    private static final int OF_EACH = RECORDS / AGGREGATES;
    private static final int MOST_WAITING = 20 * AGGREGATES;
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final Duration NO_PROGRESS = Duration.ofMinutes(3);
    private static final boolean STRICT = Boolean.getBoolean("kafka.strict");
    private static final List<String> MODE = STRICT ? List.of("strict=true") : List.of();
    private static final List<ClusterFaults.Fault> KINDS =
            STRICT ? List.of(ClusterFaults.Fault.values()) : ClusterFaults.KILLS;
    private static final String TOPIC = "cluster-faults";

    private int published;
    private long progressAt;
    private int forwardedThen;
    private Duration longestStall = Duration.ZERO;

    @Test
    void faults_of_brokers_and_forwarders_lose_and_reorder_nothing() throws SQLException, IOException {
        Instant begin = Instant.now();
        try (RealKafka kafka = RealKafka.cluster(3);
                StoredEvents stored = StoredEvents.in(RealPostgres.start());
                ClusterFaults faults = new ClusterFaults(
                        kafka, () -> Forwarders.start(stored, kafka, TOPIC, LEASE, MODE), LEASE, KINDS, SEED)) {
            kafka.createTopic(TOPIC);
            Instant start = Instant.now();
            progressAt = System.nanoTime();
            for (int fault = 1; fault <= FAULTS; fault++) {
                forward(stored, (int) ((long) AGGREGATES * OF_EACH * fault / (FAULTS + 1)));
                ClusterFaults.Fault kind = faults.next();
                System.out.printf(
                        Locale.ROOT,
                        "fault %d of %d: %s; %,d of %,d events forwarded after %d s%n",
                        fault,
                        FAULTS,
                        kind.words,
                        forwardedThen,
                        AGGREGATES * OF_EACH,
                        Duration.between(start, Instant.now()).toSeconds());
            }
            forward(stored, AGGREGATES * OF_EACH);
            Duration took = Duration.between(start, Instant.now());
            faults.close();

            TopicHistory history = STRICT ? TopicHistory.committed(kafka, TOPIC) : TopicHistory.of(kafka, TOPIC);
            String report = report(begin, took, faults, history, stored.dead());
            Files.writeString(Path.of("target", "kafka-faults.md"), report);
            System.out.println(report);
            assertThat(stored.dead()).isZero();
            assertThat(history.distinct()).isEqualTo(published);
            assertThat(history.gaps()).isEmpty();
            assertThat(history.stale()).isEmpty();
            assertThat(history.mostRepetitions())
                    .as(
                            "only a forwarder that ends or loses its shards leaves events to be sent again: %s",
                            history.backwards())
                    .isLessThanOrEqualTo(faults.ofForwarders());
        }
    }

    /** Publishes as far as the backlog stays short, until this many events are forwarded. */
    private void forward(StoredEvents stored, int until) throws SQLException {
        int forwarded = published - stored.left();
        while (forwarded < until) {
            boolean publishes = published < AGGREGATES * OF_EACH && published - forwarded < MOST_WAITING;
            if (publishes) {
                stored.publish(AGGREGATES, 1, published / AGGREGATES + 1);
                published += AGGREGATES;
            } else {
                LockSupport.parkNanos(Duration.ofMillis(250).toNanos());
            }
            forwarded = published - stored.left();
            observe(forwarded);
        }
    }

    private void observe(int forwarded) {
        Duration stall = Duration.ofNanos(System.nanoTime() - progressAt);
        if (forwarded > forwardedThen) {
            longestStall = stall.compareTo(longestStall) > 0 ? stall : longestStall;
            forwardedThen = forwarded;
            progressAt = System.nanoTime();
        } else if (stall.compareTo(NO_PROGRESS) > 0) {
            throw new AssertionError("nothing was forwarded for " + NO_PROGRESS + ", " + forwarded + " events were");
        }
    }

    private String report(Instant begin, Duration took, ClusterFaults faults, TopicHistory history, int dead) {
        String killed = faults.counts().entrySet().stream()
                .map(each -> each.getValue() + " × " + each.getKey().words)
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                """
                | | |
                |---|---|
                | date, seed | %s, %d |
                | events published | %,d of %,d aggregates |
                | strict order, consumers | %s |
                | faults (SIGKILL and a new start, unless frozen) | %d: %s |
                | lost | %,d |
                | dead letters | %,d |
                | an event before an earlier one of its key | %,d |
                | a key that ends with an older event | %,d |
                | a duplicate after a later event of its key | %,d |
                | duplicates | %,d |
                | time, events per second | %d s, %,d |
                | longest time without progress | %.1f s |
                """,
                begin.truncatedTo(ChronoUnit.SECONDS),
                SEED,
                published,
                AGGREGATES,
                STRICT ? "yes, read_committed" : "no, read_uncommitted",
                FAULTS,
                killed,
                published - history.distinct(),
                dead,
                history.gaps().size(),
                history.stale().size(),
                history.backwards().size(),
                history.duplicates(),
                took.toSeconds(),
                published / Math.max(1, took.toSeconds()),
                longestStall.toMillis() / 1000.0);
    }
}
