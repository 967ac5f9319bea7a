package io.outboxed.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.DeadLetter;
import io.outboxed.Outbox;
import io.outboxed.PublishOptions;
import io.outboxed.testkit.HandlerCall;
import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.inject.Inject;
import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The real relay, one step after another, and a real broker. */
@ExtendWith(BrokerInJndi.class)
@OutboxTest(
        value = JmsForwarder.class,
        settings = {
            "outbox.jms.connection-factory=" + Names.FACTORY,
            "outbox.jms.route.\"order.*\"=" + Names.ORDERS,
            "outbox.jms.route.\"late.*\"=" + BrokerInJndi.LATE,
            "outbox.jms.route.\"unbound.*\"=java:/jms/queue/unbound",
            "outbox.jms.route.\"wrong.*\"=" + BrokerInJndi.NO_DESTINATION,
            "outbox.jms.source=/shop",
            "outbox.retry.max-attempts=2"
        })
class JmsForwardingTest {
    private static final RealArtemis BROKER = RealArtemis.shared();

    @Inject
    Outbox events;

    @Inject
    OutboxTester outbox;

    @AfterEach
    void the_broker_runs() {
        BROKER.start();
    }

    @Test
    void the_events_of_an_aggregate_arrive_in_order_in_one_group() throws JMSException {
        outbox.inTransaction(() -> {
            for (int i = 1; i <= 5; i++) {
                publish("order.placed", "o-in-order", "{\"n\":" + i + "}");
            }
        });
        outbox.drain();

        assertThat(texts(messagesOf("o-in-order")))
                .containsExactly("{\"n\":1}", "{\"n\":2}", "{\"n\":3}", "{\"n\":4}", "{\"n\":5}");
        assertThat(outbox.calls()).extracting(HandlerCall::handler).containsOnly("jms");
    }

    @Test
    void a_message_has_the_envelope_as_properties() throws JMSException {
        UUID id = UUID.randomUUID();
        outbox.inTransaction(() -> events.publish(
                "{}",
                PublishOptions.none()
                        .id(id)
                        .type("order.placed")
                        .aggregate("order", "o-envelope")
                        .header("tenant-name", "north")));
        outbox.drain();

        Message message = messagesOf("o-envelope").get(0);
        assertThat(message).isInstanceOf(TextMessage.class);
        assertThat(message.getJMSType()).isEqualTo("order.placed");
        assertThat(message.getJMSCorrelationID()).isEqualTo(id.toString());
        assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(message.getStringProperty("cloudEvents_id")).isEqualTo(id.toString());
        assertThat(message.getStringProperty("cloudEvents_type")).isEqualTo("order.placed");
        assertThat(message.getStringProperty("cloudEvents_source")).isEqualTo("/shop");
        assertThat(message.getStringProperty("cloudEvents_subject")).isEqualTo("o-envelope");
        assertThat(message.getStringProperty("tenant_name")).isEqualTo("north");
    }

    @Test
    void bytes_arrive_as_bytes() throws JMSException {
        byte[] scan = {1, -1, 0, 127};
        outbox.inTransaction(() ->
                events.publish(scan, PublishOptions.none().type("order.scanned").aggregate("order", "o-bytes")));
        outbox.drain();

        Message message = messagesOf("o-bytes").get(0);
        assertThat(message).isInstanceOf(BytesMessage.class);
        assertThat(message.getBody(byte[].class)).isEqualTo(scan);
        assertThat(message.getStringProperty("cloudEvents_datacontenttype")).isEqualTo("application/octet-stream");
    }

    @Test
    void an_event_without_a_route_is_a_dead_letter_at_once() {
        outbox.inTransaction(() -> publish("mail.sent", "m-1", "{}"));
        outbox.drain();

        assertThat(outbox.deadLetters())
                .extracting(DeadLetter::handler, DeadLetter::type, DeadLetter::attempts)
                .containsExactly(tuple("jms", "mail.sent", 1));
        assertThat(outbox.deadLetters().get(0).error()).contains("OUTBOX-0821 there is no route for");
    }

    @Test
    void what_the_broker_refuses_although_it_answers_is_a_dead_letter_in_the_end_and_its_aggregate_goes_on()
            throws JMSException {
        outbox.inTransaction(() -> {
            publish("order.placed", "o-refused", "1");
            events.publish(
                    "2",
                    PublishOptions.none()
                            .type("order.placed")
                            .aggregate("order", "o-refused")
                            .header(ArtemisProgram.REFUSED, "yes"));
            publish("order.placed", "o-refused", "3");
        });
        outbox.drain();
        assertThat(texts(messagesOf("o-refused"))).containsExactly("1");
        outbox.advance(Duration.ofHours(1));
        outbox.drain();

        assertThat(texts(messagesOf("o-refused"))).containsExactly("1", "3");
        assertThat(outbox.deadLetters()).extracting(DeadLetter::attempts).containsExactly(2);
        assertThat(outbox.deadLetters().get(0).error())
                .contains("OUTBOX-0824 the broker answers, but refuses an event for " + Names.ORDERS)
                .contains("not this one");
    }

    @Test
    void events_for_a_missing_queue_wait_without_an_attempt_until_it_exists() throws Exception {
        outbox.inTransaction(() -> {
            publish("late.one", "l-1", "1");
            publish("order.placed", "o-meanwhile", "2");
        });
        outbox.drain();
        assertThat(failures())
                .first()
                .asString()
                .contains("OUTBOX-0822")
                .contains(BrokerInJndi.LATE + " can't be sent to");
        assertThat(messagesOf("o-meanwhile")).hasSize(1);

        BROKER.createQueue(BrokerInJndi.NOT_CREATED);
        awaitDelivered();
        assertThat(texts(BROKER.messages(BrokerInJndi.NOT_CREATED))).containsExactly("1");
    }

    @Test
    void events_for_a_name_that_is_not_in_jndi_wait_without_an_attempt_until_it_is() {
        outbox.inTransaction(() -> publish("unbound.one", "u-1", "1"));
        outbox.drain();
        assertThat(failures()).first().asString().contains("java:/jms/queue/unbound is not in JNDI");

        Names.bind("java:/jms/queue/unbound", RealArtemis.queue("bound-later"));
        awaitDelivered();
    }

    @Test
    void a_name_for_something_else_than_a_destination_is_named_as_such() {
        outbox.inTransaction(() -> publish("wrong.one", "w-1", "1"));
        outbox.drain();

        assertThat(failures())
                .first()
                .asString()
                .contains(BrokerInJndi.NO_DESTINATION
                        + " is a org.messaginghub.pooled.jms.JmsPoolConnectionFactory, not a"
                        + " jakarta.jms.Destination. Change outbox.jms.route.*");
        assertThat(outbox.deadLetters()).isEmpty();
    }

    @Test
    void a_dead_broker_costs_no_attempt_and_no_event() throws JMSException {
        outbox.inTransaction(() -> publish("order.placed", "o-outage", "1"));
        outbox.drain();
        BROKER.kill();
        outbox.inTransaction(() -> publish("order.placed", "o-outage", "2"));
        outbox.drain(Duration.ofSeconds(20));
        assertThat(outbox.calls()).extracting(HandlerCall::succeeded).containsExactly(true, false);

        BROKER.start();
        awaitDelivered();
        assertThat(texts(messagesOf("o-outage"))).containsExactly("1", "2");
    }

    /** What was deferred is tried again in a while, but asks the broker only once a second. */
    private void awaitDelivered() {
        Patience.until("the event is forwarded", () -> {
            outbox.advance(Duration.ofSeconds(6));
            outbox.drain(Duration.ofSeconds(20));
            List<HandlerCall> calls = outbox.calls();
            return calls.get(calls.size() - 1).succeeded();
        });
        assertThat(outbox.calls()).extracting(HandlerCall::attempt).containsOnly(1);
        assertThat(outbox.deadLetters()).isEmpty();
    }

    private void publish(String type, String aggregate, String json) {
        events.publish(json, PublishOptions.none().type(type).aggregate("order", aggregate));
    }

    private List<String> failures() {
        return outbox.calls().stream()
                .filter(call -> !call.succeeded())
                .map(call -> call.failure().getMessage())
                .toList();
    }

    private static List<Message> messagesOf(String group) throws JMSException {
        List<Message> found = new ArrayList<>();
        for (Message message : BROKER.messages(BrokerInJndi.QUEUE)) {
            if (group.equals(message.getStringProperty(MessageProperties.GROUP))) {
                found.add(message);
            }
        }
        return found;
    }

    private static List<String> texts(List<Message> messages) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (Message message : messages) {
            texts.add(message.getBody(String.class));
        }
        return texts;
    }
}
