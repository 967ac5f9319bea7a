package io.outboxed.reactivemessaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.broker.TopicHistory;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Events on their way when their server ends. */
class StoppedServerIT {
    private static final int AGGREGATES = 100;
    private static final int ROUNDS_WAITING = 5;
    private static final int EVENTS_WAITING = AGGREGATES * ROUNDS_WAITING;

    private static RunningExample example;

    @BeforeAll
    static void start() throws SQLException {
        example = new RunningExample();
    }

    @AfterAll
    static void stop() throws SQLException {
        example.close();
    }

    @Test
    void a_server_that_is_stopped_while_it_forwards_loses_and_reorders_nothing() throws SQLException {
        TopicHistory history = endWhileItForwards("stopped", example.server::stop);

        assertThat(history.duplicates()).isZero();
    }

    @Test
    void a_server_that_is_killed_while_it_forwards_repeats_only_what_was_not_recorded() throws SQLException {
        TopicHistory history = endWhileItForwards("killed", example.server::kill);

        assertThat(history.mostRepetitions()).isLessThanOrEqualTo(1);
    }

    /** Publishes round by round, so that there is always something to forward, until the server has ended. */
    private static TopicHistory endWhileItForwards(String aggregateType, Runnable end) throws SQLException {
        example.kafka.createTopic("events." + aggregateType);
        int rounds = ROUNDS_WAITING;
        example.stored.publish(aggregateType, AGGREGATES, 1, rounds);
        example.await("some are forwarded", () -> example.stored.left() < EVENTS_WAITING);
        CompletableFuture<Void> ended = CompletableFuture.runAsync(end);
        while (!ended.isDone()) {
            example.await("some more are forwarded", () -> example.stored.left() < EVENTS_WAITING || ended.isDone());
            rounds++;
            example.stored.publish(aggregateType, AGGREGATES, rounds, rounds);
        }
        ended.join();
        assertThat(example.stored.left()).isPositive();

        example.startServer();
        example.awaitAllDone();
        assertThat(example.stored.dead(aggregateType)).isEmpty();
        TopicHistory history = TopicHistory.of(example.kafka, "events." + aggregateType);
        assertThat(history.distinct()).isEqualTo(rounds * AGGREGATES);
        assertThat(history.gaps()).isEmpty();
        return history;
    }
}
