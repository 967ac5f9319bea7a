package io.outboxed.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outboxed.OutboxException;
import io.outboxed.OutboxMessage;
import io.outboxed.internal.handlers.LeaseExpiredException;
import io.outboxed.jms.ScriptedBroker.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.messaginghub.pooled.jms.JmsPoolConnectionFactory;

/** What a send that threw says of its message. */
class FailedSendTest {
    private static final String CF = "java:/failed/cf";
    private static final String QUEUE = "java:/failed/queue";
    private static final String OTHER_QUEUE = "java:/failed/other";

    /** As Artemis, and clients that link causes as JMS 1.1 did. */
    static Stream<Function<InterruptedException, RuntimeException>> interrupted() {
        return Stream.of(RuntimeException::new, cause -> {
            JMSException linking = new JMSException("not sent");
            linking.setLinkedException(cause);
            return new JMSRuntimeException("not sent", null, linking);
        });
    }

    @ParameterizedTest
    @MethodSource("interrupted")
    void a_send_that_was_interrupted_is_not_repeated(Function<InterruptedException, RuntimeException> failure)
            throws Exception {
        CountDownLatch sending = new CountDownLatch(1);
        ScriptedBroker broker = new ScriptedBroker(Connection.sending(() -> {
            sending.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw failure.apply(e);
            }
        }));
        SendingThread sender = new SendingThread(() -> send(broker));
        sending.await();
        sender.interrupt();

        sender.assertNotConfirmed();
        assertThat(broker.sends()).isEqualTo(1);
    }

    @Test
    void an_event_whose_lease_has_ended_meanwhile_is_not_sent_again() {
        AtomicBoolean owner = new AtomicBoolean(true);
        ScriptedBroker broker =
                new ScriptedBroker(Connection.STALE, new Connection(() -> {}, () -> owner.set(false), () -> {}));
        Names.bind(CF, broker.factory());
        Names.bind(QUEUE, RealArtemis.queue("failed"));

        assertThatThrownBy(() -> sender().send(message(), QUEUE, owner::get))
                .isInstanceOf(LeaseExpiredException.class)
                .hasMessageContaining("lease ended before it could be sent again");
        assertThat(broker.sends()).isEqualTo(1);
    }

    @Test
    void nor_is_it_sent_at_all_if_the_lease_has_ended_before_there_was_a_connection() {
        ScriptedBroker broker = new ScriptedBroker();
        Names.bind(CF, broker.factory());
        Names.bind(QUEUE, RealArtemis.queue("failed"));

        Sender sender = sender();
        assertThatThrownBy(() -> sender.send(message(), QUEUE, () -> false))
                .isInstanceOf(LeaseExpiredException.class)
                .hasMessageContaining("only after the node's lease had ended");
        assertThat(broker.sends()).isZero();

        sender.send(message(), QUEUE, () -> true);
        assertThat(broker.sends())
                .as("this is no outage, so the next event need not wait")
                .isEqualTo(1);
    }

    @Test
    void a_destination_that_does_not_confirm_holds_up_no_other_one() {
        ScriptedBroker broker = new ScriptedBroker(Connection.sending(() -> {
            throw new IllegalStateException(new InterruptedException());
        }));
        Names.bind(CF, broker.factory());
        Names.bind(QUEUE, RealArtemis.queue("full"));
        Names.bind(OTHER_QUEUE, RealArtemis.queue("other"));
        Sender sender = sender();
        assertThatThrownBy(() -> sender.send(message(), QUEUE, () -> true)).hasMessageContaining("did not confirm");
        assertThat(Thread.interrupted()).isTrue();

        sender.send(message(), OTHER_QUEUE, () -> true);

        assertThat(broker.sends()).isEqualTo(2);
    }

    @Test
    void artemis_has_the_message_once_whose_send_was_interrupted() throws Exception {
        RealArtemis broker = RealArtemis.shared();
        AtomicBoolean freezes = new AtomicBoolean();
        Names.bind(CF, beforeSend(oneConnection(broker), () -> {
            if (freezes.getAndSet(false)) {
                broker.freeze();
            }
        }));
        Names.bind(QUEUE, RealArtemis.queue("interrupted"));
        sender().send(message(), QUEUE, () -> true);

        freezes.set(true);
        SendingThread sender = new SendingThread(() -> sender().send(message(), QUEUE, () -> true));
        try {
            Patience.until("the message is sent", sender::waitsForArtemis);
            sender.interrupt();
        } finally {
            broker.thaw();
        }
        sender.assertNotConfirmed();

        assertThat(broker.messages("interrupted")).hasSize(2);
    }

    /** On a second connection the client would ask for the queue before it sends. */
    private static ConnectionFactory oneConnection(RealArtemis broker) {
        JmsPoolConnectionFactory pool = (JmsPoolConnectionFactory) broker.pool();
        pool.setMaxConnections(1);
        return pool;
    }

    private static ConnectionFactory beforeSend(ConnectionFactory factory, Runnable action) {
        return ScriptedBroker.proxy(
                ConnectionFactory.class,
                (self, method, arguments) -> beforeSend((JMSContext) method.invoke(factory, arguments), action));
    }

    private static JMSContext beforeSend(JMSContext context, Runnable action) {
        return ScriptedBroker.proxy(JMSContext.class, (self, method, arguments) -> {
            if (method.getName().equals("createProducer")) {
                action.run();
            }
            return method.invoke(context, arguments);
        });
    }

    @Test
    void a_message_that_is_stored_is_not_sent_again_because_its_connection_can_not_be_closed() {
        ScriptedBroker broker = new ScriptedBroker(Connection.closing(ScriptedBroker.fails("not closed")));

        send(broker);

        assertThat(broker.sends()).isEqualTo(1);
    }

    @Test
    void nor_is_one_sent_again_if_the_close_of_its_broken_connection_was_interrupted() {
        Runnable interrupted = () -> {
            throw new IllegalStateException(new InterruptedException());
        };
        ScriptedBroker broker = new ScriptedBroker(
                new Connection(ScriptedBroker.fails("broken"), ScriptedBroker.fails("broken"), interrupted));

        assertThatThrownBy(() -> send(broker)).isInstanceOf(BrokerNotReadyException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(broker.sends()).isEqualTo(1);
    }

    @Test
    void several_stale_connections_of_a_pool_cost_no_attempt() {
        ScriptedBroker broker =
                new ScriptedBroker(Connection.STALE, Connection.IS_GOOD, Connection.STALE, Connection.IS_GOOD);

        send(broker);

        assertThat(broker.sends()).isEqualTo(2);
    }

    @Test
    void what_is_refused_on_a_connection_that_answers_counts() {
        ScriptedBroker broker = new ScriptedBroker(Connection.STALE, Connection.REFUSES);

        assertThatThrownBy(() -> send(broker))
                .isInstanceOf(OutboxException.class)
                .hasMessageContaining("OUTBOX-0824")
                .hasMessageContaining("refused");
    }

    @Test
    void an_outage_that_begins_after_the_broker_has_answered_costs_no_attempt() {
        Connection breaks = Connection.sending(ScriptedBroker.fails("broken"));
        ScriptedBroker broker = new ScriptedBroker(Connection.STALE, breaks, Connection.STALE);

        assertThatThrownBy(() -> send(broker)).isInstanceOf(BrokerNotReadyException.class);
    }

    /** With a client's timeout of a few seconds, while the broker's disk hangs but its memory answers. */
    @Test
    void a_failure_after_more_than_two_seconds_is_no_answer() {
        JMSRuntimeException failure = new JMSRuntimeException("timed out");

        assertThat(FailedSend.of(failure, TimeUnit.SECONDS.toNanos(3)).isLate()).isTrue();
        assertThat(FailedSend.of(failure, TimeUnit.SECONDS.toNanos(1)).isLate()).isFalse();
    }

    /** Ends with what the send threw. */
    private static final class SendingThread {
        private final CompletableFuture<Throwable> result = new CompletableFuture<>();
        private final CompletableFuture<Boolean> flag = new CompletableFuture<>();
        private final Thread thread;

        SendingThread(ThrowingCallable send) {
            thread = new Thread(() -> {
                result.complete(catchThrowable(send));
                flag.complete(Thread.currentThread().isInterrupted());
            });
            thread.start();
        }

        boolean waitsForArtemis() {
            List<String> methods = Stream.of(thread.getStackTrace())
                    .map(StackTraceElement::getMethodName)
                    .toList();
            return thread.getState() == Thread.State.TIMED_WAITING
                    && methods.contains("sendBlocking")
                    && methods.contains("sendFullMessage");
        }

        void interrupt() {
            thread.interrupt();
        }

        void assertNotConfirmed() throws Exception {
            assertThat(result.get(60, TimeUnit.SECONDS))
                    .isInstanceOf(BrokerNotReadyException.class)
                    .hasMessageContaining("did not confirm an event, which may be there anyway");
            assertThat(flag.get(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static void send(ScriptedBroker broker) {
        Names.bind(CF, broker.factory());
        Names.bind(QUEUE, RealArtemis.queue("failed"));
        sender().send(message(), QUEUE, () -> true);
    }

    private static Sender sender() {
        return new Sender(new JmsSettings(Map.of("*", QUEUE), CF, "/test", false));
    }

    private static OutboxMessage message() {
        return new OutboxMessage(
                UUID.randomUUID(),
                "order.placed",
                "order",
                "o-1",
                1,
                Instant.parse("2026-11-21T10:15:30Z"),
                Map.of(),
                "1",
                null);
    }
}
