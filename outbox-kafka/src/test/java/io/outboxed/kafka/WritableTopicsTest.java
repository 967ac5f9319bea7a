package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.PermanentFailureException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When topics are checked, and what may happen while a check hangs because a broker does not answer. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WritableTopicsTest {
    private final CountDownLatch answers = new CountDownLatch(1);
    private final CountDownLatch hangs = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicLong now = new AtomicLong();
    private final Map<String, String> bad = new ConcurrentHashMap<>();
    private final Set<String> unanswerable = ConcurrentHashMap.newKeySet();
    private final WritableTopics topics = new WritableTopics(
            ForwardingNode.settings("nowhere:9092", "orders", Map.of("max.block.ms", "100")),
            asking -> {
                asked.incrementAndGet();
                if (asking.contains("silent")) {
                    hangs.countDown();
                    answers.await();
                }
                if (!Collections.disjoint(unanswerable, asking)) {
                    throw new ExecutionException(new InvalidTopicException("for a test"));
                }
                Map<String, String> found = new HashMap<>(bad);
                found.keySet().retainAll(asking);
                return found;
            },
            now::get);

    @AfterEach
    void the_check_ends() {
        answers.countDown();
    }

    @Test
    void a_check_that_hangs_holds_up_nobody_who_doubts_all_topics_and_they_are_doubted_after_it()
            throws InterruptedException {
        topics.await("orders");
        CompletableFuture<Void> check = hangingCheck();
        AtomicInteger alsoDone = new AtomicInteger();
        topics.doubtAll(alsoDone::incrementAndGet);
        assertThat(topics.contain("orders")).isFalse();

        answers.countDown();
        check.handle((nothing, failure) -> failure).join();
        assertThat(alsoDone).hasValue(1);
        assertThat(topics.contain("silent"))
                .as("the answer is from before the doubt")
                .isFalse();
    }

    @Test
    void a_check_that_hangs_holds_up_no_record_that_was_refused() throws InterruptedException {
        topics.await("orders");
        CompletableFuture<Void> check = hangingCheck();
        RecordTooLargeException tooLarge = new RecordTooLargeException("the topic takes less");
        assertThat(topics.refused("orders", tooLarge))
                .isInstanceOf(BrokerNotReadyException.class)
                .hasMessageContaining("its answer is still awaited");

        answers.countDown();
        check.handle((nothing, failure) -> failure).join();
        int before = asked.get();
        assertThat(topics.refused("orders", tooLarge)).isInstanceOf(PermanentFailureException.class);
        assertThat(asked).as("the topic is checked again").hasValue(before + 1);
    }

    @Test
    void records_that_are_refused_in_a_row_have_the_topic_checked_once_a_second() throws InterruptedException {
        topics.await("orders");
        int before = asked.get();
        RecordTooLargeException tooLarge = new RecordTooLargeException("the topic takes less");
        for (int i = 0; i < 50; i++) {
            assertThat(topics.refused("orders", tooLarge)).isInstanceOf(PermanentFailureException.class);
        }
        assertThat(asked).hasValue(before + 1);

        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        topics.refused("orders", tooLarge);
        assertThat(asked).hasValue(before + 2);
    }

    @Test
    void a_topic_whose_check_hangs_is_not_awaited_for_longer_than_a_send_may_block() {
        hangingCheck();
        assertThatThrownBy(() -> topics.await("orders"))
                .isInstanceOf(BrokerNotReadyException.class)
                .hasMessageContaining("its answer is still awaited");
    }

    @Test
    void a_problem_that_is_over_ends_with_the_check_of_any_topic() throws InterruptedException {
        try (LoggedLines log = new LoggedLines()) {
            bad.put("customers", "topic customers: it does not exist");
            assertNotReady("customers");
            assertThat(log.with("OUTBOX-0890")).hasSize(1);

            bad.clear();
            topics.await("orders");
            assertThat(log.with("OUTBOX-0891"))
                    .as("it is asked for once a second at most")
                    .isEmpty();

            now.addAndGet(TimeUnit.SECONDS.toNanos(1));
            topics.await("invoices");
            assertThat(log.with("OUTBOX-0891")).hasSize(1);
            topics.await("customers");
        }
    }

    @Test
    void a_problem_that_is_over_is_not_listed_beside_a_new_one() {
        try (LoggedLines log = new LoggedLines()) {
            bad.put("customers", "topic customers: it does not exist");
            assertNotReady("customers");

            bad.clear();
            bad.put("orders", "topic orders: it does not exist");
            now.addAndGet(TimeUnit.SECONDS.toNanos(1));
            assertNotReady("orders");
            assertThat(log.with("OUTBOX-0890"))
                    .last()
                    .asString()
                    .contains("topic orders")
                    .doesNotContain("topic customers");
        }
    }

    @Test
    void a_topic_that_can_not_be_asked_for_any_more_holds_up_no_other_one() throws InterruptedException {
        try (LoggedLines log = new LoggedLines()) {
            bad.put("customers", "topic customers: it does not exist");
            assertNotReady("customers");
            unanswerable.add("customers");
            now.addAndGet(TimeUnit.SECONDS.toNanos(1));
            topics.await("orders");
            int before = asked.get();
            topics.await("invoices");
            assertThat(asked).as("it is asked for once a second at most").hasValue(before + 1);
            assertThat(log.with("OUTBOX-0891"))
                    .as("what was wrong may still be")
                    .isEmpty();
        }
    }

    private void assertNotReady(String topic) {
        assertThatThrownBy(() -> topics.await(topic))
                .isInstanceOf(BrokerNotReadyException.class)
                .hasMessageContaining(bad.get(topic));
    }

    private CompletableFuture<Void> hangingCheck() {
        CompletableFuture<Void> check = CompletableFuture.runAsync(() -> {
            try {
                topics.await("silent");
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        try {
            hangs.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return check;
    }
}
