package io.outboxed.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.OutboxMessage;
import io.outboxed.internal.handlers.DeferredDeliveryException;
import io.outboxed.jms.ScriptedBroker.Connection;
import io.outboxed.servers.process.FreePort;
import jakarta.jms.ConnectionFactory;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is found at the start. */
class SenderTest {
    private static final RealArtemis BROKER = RealArtemis.shared();
    private static final String CF = "java:/start/cf";
    private static final String QUEUE = "java:/start/queue";

    @Test
    void everything_that_is_missing_is_named_at_once() {
        Names.bind(QUEUE, BROKER.pool());
        Set<String> problems = atStart("java:/start/none", Map.of("a", QUEUE, "b", "java:/start/no-queue"));

        assertThat(problems).hasSize(3);
        assertThat(problems)
                .anySatisfy(problem -> assertThat(problem)
                        .startsWith("java:/start/none is not in JNDI. Define it in the server, or change"
                                + " outbox.jms.connection-factory"))
                .anySatisfy(problem -> assertThat(problem)
                        .startsWith("java:/start/no-queue is not in JNDI. Define it in the server, or change"
                                + " outbox.jms.route.*"))
                .anySatisfy(problem -> assertThat(problem)
                        .startsWith(QUEUE + " is a ")
                        .endsWith(", not a jakarta.jms.Destination. Change outbox.jms.route.*"));
    }

    @Test
    void a_broker_that_is_not_there_is_noticed_and_one_that_answers_is_no_problem() {
        Names.bind(CF, BROKER.pool());
        Names.bind(QUEUE, RealArtemis.queue("start"));
        assertThat(atStart(CF, Map.of("*", QUEUE))).isEmpty();

        Names.bind(CF, RealArtemis.pool("tcp://127.0.0.1:" + FreePort.any()));
        assertThat(atStart(CF, Map.of("*", QUEUE))).singleElement().asString().startsWith(CF + " gives ");
    }

    @Test
    void each_problem_of_an_outage_is_logged_once() {
        String changing = "java:/start/changing-cf";
        Names.bind(QUEUE, RealArtemis.queue("start"));
        Sender sender = new Sender(new JmsSettings(Map.of("*", QUEUE), changing, "/test", false));
        try (LoggedLines log = new LoggedLines()) {
            sender.checkAtStart();
            sender.checkAtStart();
            assertThat(log.with("OUTBOX-0895")).singleElement().asString().contains(changing + " is not in JNDI");

            Names.bind(changing, RealArtemis.pool("tcp://127.0.0.1:" + FreePort.any()));
            sender.checkAtStart();
            sender.checkAtStart();
            assertThat(log.with("OUTBOX-0895"))
                    .hasSize(2)
                    .last()
                    .asString()
                    .contains(changing + " gives ")
                    .doesNotContain("is not in JNDI");

            Names.bind(changing, RealArtemis.queue("no-factory"));
            sender.checkAtStart();
            Names.bind(changing, RealArtemis.pool("tcp://127.0.0.1:" + FreePort.any()));
            sender.checkAtStart();
            assertThat(log.with("OUTBOX-0895")).hasSize(3);
        }
    }

    @Test
    void a_name_that_was_missing_is_looked_up_again_when_an_event_was_sent_elsewhere() {
        String late = "java:/start/late-queue";
        String laterYet = "java:/start/later-queue";
        Names.bind(CF, new ScriptedBroker().factory());
        Names.bind(QUEUE, RealArtemis.queue("start"));
        AtomicLong now = new AtomicLong();
        Sender sender = new Sender(
                new JmsSettings(Map.of("order.*", QUEUE, "a.*", late, "b.*", laterYet), CF, "/test", false), now::get);
        try (LoggedLines log = new LoggedLines()) {
            assertThat(sender.checkAtStart()).hasSize(2);
            Names.bind(late, RealArtemis.queue("late"));
            now.addAndGet(TimeUnit.SECONDS.toNanos(1));
            send(sender);
            assertThat(log.with("OUTBOX-0896")).as("one is still missing").isEmpty();

            Names.bind(laterYet, RealArtemis.queue("later"));
            send(sender);
            assertThat(log.with("OUTBOX-0896")).as("once a second at most").isEmpty();
            now.addAndGet(TimeUnit.SECONDS.toNanos(1));
            send(sender);
            assertThat(log.with("OUTBOX-0896")).hasSize(1);
            assertThat(log.with("OUTBOX-0895")).hasSize(1);
        }
    }

    @Test
    void an_event_that_was_sent_does_not_fail_because_the_server_has_no_class_for_another_name() {
        String missing = "java:/start/without-class";
        ScriptedBroker broker = new ScriptedBroker();
        Names.bind(CF, broker.factory());
        Names.bind(QUEUE, RealArtemis.queue("start"));
        AtomicLong now = new AtomicLong();
        Sender sender =
                new Sender(new JmsSettings(Map.of("order.*", QUEUE, "a.*", missing), CF, "/test", false), now::get);
        assertThat(sender.checkAtStart()).hasSize(1);

        Names.bind(missing, new NoClassDefFoundError("org/example/QueueFactory"));
        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        send(sender);
        assertThat(broker.sends()).isEqualTo(1);
    }

    static Stream<Throwable> failuresOfALookUp() {
        return Stream.of(
                new NoClassDefFoundError("org/example/QueueFactory"), new IllegalStateException("the factory failed"));
    }

    @ParameterizedTest
    @MethodSource("failuresOfALookUp")
    void what_the_server_cannot_look_up_is_a_problem_and_no_failure_of_the_start_or_of_an_event(Throwable failure) {
        Names.bind(CF, new ScriptedBroker().factory());
        Names.bind(QUEUE, failure);
        AtomicLong now = new AtomicLong();
        Sender sender = new Sender(new JmsSettings(Map.of("*", QUEUE), CF, "/test", false), now::get);
        assertThat(sender.checkAtStart())
                .containsExactly(
                        QUEUE + " can't be looked up: " + failure.getClass().getName() + ": " + failure.getMessage());

        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThatThrownBy(() -> send(sender)).isInstanceOf(DeferredDeliveryException.class);

        Names.bind(QUEUE, RealArtemis.queue("start"));
        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        send(sender);
    }

    @Test
    void a_client_that_lacks_a_class_is_a_problem_and_no_failure_of_the_start() {
        Runnable lacksClass = () -> {
            throw new NoClassDefFoundError("org/example/Session");
        };
        Names.bind(QUEUE, RealArtemis.queue("start"));
        Names.bind(CF, ScriptedBroker.proxy(ConnectionFactory.class, (self, method, arguments) -> {
            lacksClass.run();
            return null;
        }));
        assertThat(atStart(CF, Map.of("*", QUEUE))).singleElement().asString().startsWith(CF + " gives no connection");

        Names.bind(CF, new ScriptedBroker(new Connection(() -> {}, lacksClass, lacksClass)).factory());
        assertThat(atStart(CF, Map.of("*", QUEUE)))
                .singleElement()
                .asString()
                .startsWith(CF + " gives connections on which the broker does not answer");
    }

    @Test
    void what_the_broker_has_stored_stays_sent_if_a_class_is_missing_when_the_connection_is_closed() {
        ScriptedBroker broker = new ScriptedBroker(Connection.closing(() -> {
            throw new NoClassDefFoundError("org/example/Closing");
        }));
        Names.bind(CF, broker.factory());
        Names.bind(QUEUE, RealArtemis.queue("start"));
        send(new Sender(new JmsSettings(Map.of("*", QUEUE), CF, "/test", false)));
        assertThat(broker.sends()).isEqualTo(1);
    }

    private static void send(Sender sender) {
        OutboxMessage message = new OutboxMessage(
                UUID.randomUUID(), "order.placed", "order", "o-1", 1, Instant.EPOCH, Map.of(), "1", null);
        sender.send(message, QUEUE, () -> true);
    }

    private static Set<String> atStart(String connectionFactory, Map<String, String> routes) {
        return new Sender(new JmsSettings(routes, connectionFactory, "/test", false)).checkAtStart();
    }
}
