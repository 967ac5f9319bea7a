package io.outboxed.internal.store;

import static io.outboxed.internal.store.JdbcContract.elsewhere;
import static io.outboxed.internal.store.JdbcContract.result;
import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.resolve;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.DeadLetter;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.StoreFixture.Delivery;
import io.outboxed.internal.store.StoreFixture.Draft;
import io.outboxed.internal.store.jdbc.DeadLetterStore;
import io.outboxed.internal.store.jdbc.DeadLetterStore.DeadLetterListener;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a replay or discard does while the message is locked by a delivery. */
interface LockedDeadLetterContract extends JdbcContract {

    @Test
    default void a_locked_message_that_is_replayed_or_discarded_does_not_lock_its_shard() throws Exception {
        MessageHead replayed = publish();
        MessageHead discarded = publish();
        write(resolve(replayed, blocked("A")), resolve(discarded, blocked("B")));
        MessageHead other = bench().publish(Draft.inLane(LANE + 64));
        Semaphore waiting = new Semaphore(0);
        CountDownLatch written = new CountDownLatch(1);
        RecordedStatements statements = new RecordedStatements(jdbc().source(), statement -> {
            if (statement.equals(jdbc().waitForMessage())) {
                waiting.release();
                await(written);
            }
        });
        try (Delivery zombie = bench().begin();
                DeadLetterStore letters = jdbc().deadLetterStore(statements);
                DeadLetterStore others = jdbc().deadLetterStore(statements)) {
            zombie.claim(asResolved(replayed));
            zombie.claim(asResolved(discarded));
            List<CompletableFuture<Boolean>> changes = new ArrayList<>();
            try {
                // the second one begins when the first one waits: each of them locks the shard for a moment before
                for (Callable<Boolean> change : List.<Callable<Boolean>>of(
                        () -> Unrecorded.replay(letters, replayed.id(), "A"),
                        () -> Unrecorded.discard(others, discarded.id(), "B"))) {
                    changes.add(elsewhere(change));
                    assertThat(waiting.tryAcquire(60, TimeUnit.SECONDS))
                            .as("it is about to wait for the message")
                            .isTrue();
                    assertThatCode(() -> write(new FencedWrite.Park(other.lane(), List.of(other))))
                            .as("the row of the shard is free")
                            .doesNotThrowAnyException();
                }
            } finally {
                written.countDown();
            }
            for (CompletableFuture<Boolean> each : changes) {
                assertThatThrownBy(() -> result(each))
                        .cause()
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                e -> assertThat(e.isRowLocked()).isTrue());
            }
        }
        assertThat(bench().deadLetters()).as("nothing was changed").hasSize(2);
        assertThat(bench().replay(replayed.id(), "A")).isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    default void a_locked_message_does_not_keep_others_from_being_replayed() {
        MessageHead locked = publish();
        MessageHead free = publish();
        write(resolve(locked, blocked("A")), resolve(free, blocked("A")));
        List<UUID> replayed = new ArrayList<>();
        try (Delivery running = bench().begin();
                DeadLetterStore letters = jdbc().deadLetterStore()) {
            running.claim(asResolved(locked));
            assertThat(Unrecorded.replay(
                            letters, DeadLetterFilter.all(), 10, letter -> replayed.add(letter.messageId())))
                    .isEqualTo(1);
        }
        assertThat(replayed).containsExactly(free.id());
        assertThat(bench().deadLetters()).extracting(DeadLetter::messageId).containsExactly(locked.id());
    }

    /** Each wait would be as long as the database's lock timeout. */
    @Test
    default void many_that_are_locked_are_waited_for_only_once() {
        List<MessageHead> locked = List.of(publish(), publish(), publish(), publish());
        locked.forEach(head -> write(resolve(head, blocked("A"))));
        List<UUID> reported = new ArrayList<>();
        DeadLetterListener listener = new DeadLetterListener() {
            @Override
            public void changed(DeadLetter letter) {}

            @Override
            public void locked(DeadLetter letter) {
                reported.add(letter.messageId());
            }
        };
        RecordedStatements statements = new RecordedStatements(jdbc().source());
        try (Delivery running = bench().begin();
                DeadLetterStore letters = jdbc().deadLetterStore(statements)) {
            locked.forEach(head -> running.claim(asResolved(head)));
            assertThat(Unrecorded.replay(letters, DeadLetterFilter.all(), 10, listener))
                    .isZero();
        }
        assertThat(statements.count(jdbc().waitForMessage())).isOne();
        assertThat(reported)
                .containsExactlyElementsOf(locked.stream().map(MessageHead::id).toList());
        assertThat(bench().deadLetters()).hasSize(4);
    }

    @Test
    default void a_message_that_is_locked_for_a_moment_is_replayed_then() throws Exception {
        MessageHead head = publish();
        write(resolve(head, blocked("A")));
        try (Delivery delivery = bench().begin();
                DeadLetterStore letters = jdbc().deadLetterStore()) {
            delivery.claim(asResolved(head));
            CompletableFuture<Boolean> replay = elsewhere(() -> Unrecorded.replay(letters, head.id(), "A"));
            awaitLockWait(replay);
            delivery.rollback();
            assertThat(result(replay)).isTrue();
        }
        assertThat(dueGroups()).containsExactly("A");
    }

    private static MessageHead asResolved(MessageHead head) {
        return head.withVersion(head.version() + 1);
    }
}
