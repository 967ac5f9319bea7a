package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.DeadLetter;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.internal.database.ChangeRecorder;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.WatchedConnection;
import io.outboxed.internal.store.jdbc.DeadLetterStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many dead letters are replayed or discarded at once. */
interface DeadLetterBulkContract extends JdbcContract {

    @Test
    default void many_are_replayed_in_the_order_in_which_they_died() {
        List<UUID> died = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            MessageHead head = publish();
            died.add(head.id());
            write(resolve(head, dead("A"), dead("B")));
        }
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThat(Unrecorded.replay(letters, DeadLetterFilter.all().handler("A"), 3, each -> {}))
                    .isEqualTo(3);
            assertThat(ready()).extracting(MessageHead::id).containsExactlyElementsOf(died.subList(0, 3));
            assertThat(Unrecorded.replay(letters, DeadLetterFilter.all().handler("A"), 3, each -> {}))
                    .isEqualTo(2);
            assertThat(ready()).extracting(MessageHead::id).containsExactlyElementsOf(died);
            assertThat(ready()).extracting(MessageHead::onlyHandler).containsOnly("A");
            assertThat(Unrecorded.replay(letters, DeadLetterFilter.all().handler("A"), 3, each -> {}))
                    .isZero();
            assertThat(letters.count(DeadLetterFilter.all())).isEqualTo(5);
        }
    }

    @Test
    default void more_than_are_read_at_once_are_replayed_once_each() throws Exception {
        for (int i = 0; i < 11; i++) {
            write(resolve(
                    publish(),
                    IntStream.range(0, 20).mapToObj(n -> dead("h" + n)).toArray(Resolution[]::new)));
        }
        jdbc().run("UPDATE outbox_dead SET died_at = 7");
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThat(Unrecorded.replay(letters, DeadLetterFilter.all(), Integer.MAX_VALUE, each -> {}))
                    .isEqualTo(220);
            assertThat(letters.count(DeadLetterFilter.all())).isZero();
        }
        assertThat(bench().messageRows()).isEqualTo(220);
    }

    /** One by one, each would cost a statement that reads thousands of rows. */
    @Test
    default void those_whose_order_would_be_lost_are_passed_over_many_at_a_time() throws SQLException {
        MessageHead blocking = publish();
        write(resolve(blocking, blocked("A")));
        for (int i = 0; i < 40; i++) {
            write(resolve(publish(), dead("A")));
        }
        jdbc().run("UPDATE outbox_dead SET aggregate_id = '1'");
        AtomicInteger statements = new AtomicInteger();
        ConnectionSource counting = () -> counting(jdbc().source().open(), statements);
        try (DeadLetterStore letters = new DeadLetterStore(counting, jdbc().dialect(), jdbc().prefix())) {
            assertThat(letters.replay(DeadLetterFilter.all(), 2, false, ChangeRecorder.NONE, each -> {}))
                    .isEqualTo(1);
        }
        assertThat(statements).hasValueLessThan(40);
        assertThat(bench().deadLetters()).hasSize(40);
    }

    private static Connection counting(Connection connection, AtomicInteger statements) {
        return WatchedConnection.of(connection, call -> {
            if (call.is("prepareStatement")) {
                statements.incrementAndGet();
            }
            return call.proceed();
        });
    }

    @Test
    default void whoever_watches_a_replay_of_many_gets_each_one_and_can_end_it() {
        for (int i = 0; i < 4; i++) {
            write(resolve(publish(), dead("A")));
        }
        List<UUID> seen = new ArrayList<>();
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThatThrownBy(() -> Unrecorded.replay(letters, DeadLetterFilter.all(), 10, letter -> {
                        seen.add(letter.messageId());
                        if (seen.size() == 3) {
                            throw new IllegalStateException("enough");
                        }
                    }))
                    .hasMessage("enough");
            assertThat(ready()).extracting(MessageHead::id).containsExactlyElementsOf(seen);
            assertThat(letters.count(DeadLetterFilter.all())).isEqualTo(1);
        }
    }

    @Test
    default void blocked_ones_are_discarded_together_and_their_lane_continues() {
        MessageHead first = publish();
        MessageHead second = publish();
        MessageHead third = publish();
        write(resolve(first, blocked("A")), resolve(second, blocked("A")), resolve(third, retry("A", 0)));
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThat(Unrecorded.discard(letters, DeadLetterFilter.all().onlyBlocking(), 10, each -> {}))
                    .isEqualTo(2);
        }
        assertThat(dueGroups()).containsExactly("A");
        assertThat(store().reads().waiting(LANE, "A", 10))
                .extracting(row -> row.head().seq())
                .containsExactly(third.seq());
        assertThat(jdbc().messageRows()).isEqualTo(1);
    }

    /** What somebody selected is not what has died since, even of the same event. */
    @Test
    default void a_dead_letter_that_dies_again_before_its_turn_is_left_alone() {
        MessageHead first = publish();
        MessageHead second = publish();
        write(resolve(first, dead("A")), resolve(second, dead("A")));
        try (DeadLetterStore letters = jdbc().deadLetterStore();
                DeadLetterStore other = jdbc().deadLetterStore()) {
            int discarded = Unrecorded.discard(letters, DeadLetterFilter.all(), 10, letter -> {
                if (letter.messageId().equals(first.id())) {
                    Unrecorded.replay(other, second.id(), "A");
                    write(resolve(ready().get(0), dead("A")));
                }
            });
            assertThat(discarded).isEqualTo(1);
        }
        assertThat(bench().deadLetters()).extracting(DeadLetter::messageId).containsExactly(second.id());
    }
}
