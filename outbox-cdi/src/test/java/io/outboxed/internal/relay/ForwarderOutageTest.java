package io.outboxed.internal.relay;

import static io.outboxed.internal.relay.LoneRelay.MAIL;
import static io.outboxed.internal.relay.LoneRelay.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** The receiver of a forwarder is down: what becomes of the other handlers? */
class ForwarderOutageTest {
    private static final String FORWARD = "forward";
    private static final String OTHER_TYPE = "cancelled";
    private static final int MAX_IN_MEMORY = 32;
    private static final Duration DUE_AGAIN = Duration.ofSeconds(6);
    private static final int DEATHS = 11;
    /** So many sends end in this time: too few to make room for all events. */
    private static final int SECONDS = 30;

    private final LoneRelay node = new LoneRelay(
            OutboxConfig.DEFAULTS.withRelay(HungCallsTest.limits(MAX_IN_MEMORY)),
            Map.of(
                    new HandlerKey(TYPE, MAIL), HandlerMode.TRANSACTIONAL,
                    new HandlerKey(TYPE, FORWARD), HandlerMode.FORWARDER,
                    new HandlerKey(OTHER_TYPE, FORWARD), HandlerMode.FORWARDER),
            List.of());

    @Test
    void events_that_a_forwarder_defers_take_no_memory_from_other_handlers() {
        node.holdsAllShards(false);
        LongStream.range(0, 4 * MAX_IN_MEMORY).forEach(node::publish);
        node.turns();

        Deque<Call> sends = new ArrayDeque<>();
        int mailed = 0;
        for (int second = 0; second < SECONDS; second++) {
            for (List<Call> called = node.called(); !called.isEmpty(); called = node.called()) {
                for (Call call : called) {
                    if (call.handler().equals(MAIL)) {
                        node.succeeds(call);
                        mailed++;
                    } else {
                        sends.add(call);
                    }
                }
            }
            // a broker that is down is waited for: all other sends stay in memory meanwhile
            Optional.ofNullable(sends.poll()).ifPresent(node::isDeferred);
            node.pass(Duration.ofSeconds(1));
        }

        assertThat(mailed).isEqualTo(4 * MAX_IN_MEMORY);
    }

    @Test
    void events_of_another_type_may_go_to_a_topic_that_is_there() {
        node.holdsAllShards(false);
        LongStream.range(0, 20).forEach(node::publish);
        node.turns();
        for (int i = 0; i < 5; i++) {
            node.called().forEach(call -> {
                if (call.handler().equals(MAIL)) {
                    node.succeeds(call);
                } else {
                    node.isDeferred(call);
                }
            });
            node.turns();
        }

        node.publish(70, OTHER_TYPE);
        node.turns();

        assertThat(node.called())
                .extracting(call -> call.delivery().head().type())
                .contains(OTHER_TYPE);
    }

    @Test
    void an_attempt_of_a_forwarder_is_not_used_up_by_the_death_of_its_node() {
        Call first = waitsForItsBroker();
        assertThat(first.delivery().attempt()).isOne();
        for (int deaths = 1; deaths < DEATHS; deaths++) {
            Call call = sentAgain().get(0);
            assertThat(call.delivery().attempt()).isOne();
            dies(call);
        }

        Call last = sentAgain().get(0);
        node.succeeds(last);

        assertThat(node.store.deadMessages()).isEmpty();
        assertThat(node.store.messages()).isZero();
    }

    @Test
    void an_answer_of_the_broker_ends_the_count_of_deaths() {
        waitsForItsBroker();
        for (int deaths = 1; deaths <= 2 * DEATHS; deaths++) {
            Call call = sentAgain().get(0);
            if (deaths % 3 == 0) {
                node.isDeferred(call);
            } else {
                dies(call);
            }
        }

        assertThat(sentAgain()).extracting(call -> call.delivery().attempt()).containsExactly(1);
        assertThat(node.store.deadMessages()).isEmpty();
    }

    @Test
    void a_send_that_is_not_begun_is_no_death() {
        waitsForItsBroker();
        for (int i = 1; i <= 2 * DEATHS; i++) {
            node.isNotBegun(sentAgain().get(0));
        }

        assertThat(sentAgain()).hasSize(1);
        assertThat(node.store.deadMessages()).isEmpty();
    }

    @Test
    void an_event_that_waits_and_kills_its_node_each_time_is_given_up_in_the_end() {
        waitsForItsBroker();
        for (int deaths = 1; deaths <= DEATHS; deaths++) {
            dies(sentAgain().get(0));
        }

        assertThat(sentAgain()).isEmpty();

        assertThat(node.store.deadErrors())
                .singleElement(InstanceOfAssertFactories.STRING)
                .startsWith("its node died or stopped during each of the last 11 calls. Previous error: ")
                .contains("DeferredDeliveryException");
    }

    /** @return the first call of its forwarder, which was deferred */
    private Call waitsForItsBroker() {
        node.holdsAllShards(false);
        node.publish(7, OTHER_TYPE);
        node.turns();
        Call first = node.called().get(0);
        node.isDeferred(first);
        return first;
    }

    private List<Call> sentAgain() {
        node.pass(DUE_AGAIN);
        return node.called();
    }

    /** The next owner hears no answer. */
    private void dies(Call call) {
        node.holdsAllShards(true);
        node.endsUnclear(call);
    }
}
