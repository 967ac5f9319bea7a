package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.PermanentFailureException;
import java.util.List;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.Test;

class SendFailureTest {

    @Test
    void a_record_that_kafka_refuses_is_a_permanent_failure() {
        Exception cause = new RecordTooLargeException("2 MB");
        assertThat(SendFailure.of(cause)).isEqualTo(SendFailure.OF_THE_RECORD);
        assertThat(SendFailure.OF_THE_RECORD.exception("orders", cause))
                .isInstanceOf(PermanentFailureException.class)
                .hasMessageContaining("OUTBOX-0804")
                .hasMessageContaining("topic orders (RecordTooLargeException: 2 MB)");
    }

    @Test
    void a_timestamp_out_of_range_is_of_the_nodes_clock_and_costs_no_attempt() {
        String range = "Timestamp 7201000 of message with offset 0 is out of range.";
        assertThat(List.of(new InvalidTimestampException(range), new InvalidRecordException(range)))
                .allSatisfy(cause -> assertThat(SendFailure.of(cause).exception("orders", cause))
                        .isInstanceOf(BrokerNotReadyException.class)
                        .hasMessageContaining("topic orders")
                        .hasMessageContaining("the clock of this node")
                        .hasMessageContaining("7201000")
                        .hasMessageContaining("message.timestamp.after.max.ms"));
        assertThat(SendFailure.of(new InvalidRecordException(
                        "Compacted topic cannot accept message without key in topic partition Timestamp -0.")))
                .isEqualTo(SendFailure.OF_THE_RECORD);
    }

    @Test
    void a_broker_that_is_away_or_busy_costs_no_attempt() {
        assertThat(List.of(
                        new TimeoutException("7 s"),
                        new TimeoutException("not present in metadata", new TopicAuthorizationException("orders")),
                        new NotEnoughReplicasException("1"),
                        new TransactionAbortableException("try again"),
                        new InterruptedException()))
                .allSatisfy(cause -> {
                    assertThat(SendFailure.of(cause)).isEqualTo(SendFailure.OF_THE_BROKER);
                    assertThat(SendFailure.OF_THE_BROKER.exception("orders", cause))
                            .isInstanceOf(BrokerNotReadyException.class);
                });
    }

    @Test
    void missing_rights_and_a_broken_producer_cost_none_either() {
        assertThat(List.of(
                        new SaslAuthenticationException("password"),
                        new TransactionalIdAuthorizationException("orders-1"),
                        new ProducerFencedException("another one"),
                        new InvalidTxnStateException("?"),
                        new OutOfOrderSequenceException("5"),
                        new IllegalStateException("closed"),
                        new java.util.concurrent.TimeoutException("our own"),
                        new UnsupportedVersionException("InitProducerId"),
                        new KafkaException("Unexpected error in InitProducerIdResponse; ?"),
                        new KafkaException("in an error state", new UnsupportedVersionException("InitProducerId")),
                        new UnknownServerException("?", new OutOfOrderSequenceException("5"))))
                .extracting(SendFailure::of)
                .containsOnly(SendFailure.OF_THE_PRODUCER);
        assertThat(SendFailure.OF_THE_PRODUCER.exception("orders", new IllegalStateException()))
                .isInstanceOf(BrokerNotReadyException.class);
    }

    @Test
    void a_producer_is_fenced_by_a_later_one_whatever_kafka_has_wrapped_that_in() {
        assertThat(List.of(
                        new ProducerFencedException("another one"),
                        new KafkaException("in an error state", new InvalidProducerEpochException("3"))))
                .allMatch(SendFailure::isFenced);
        assertThat(SendFailure.isFenced(new TimeoutException("7 s"))).isFalse();
    }

    @Test
    void an_interrupted_send_says_nothing_about_the_producer() {
        Exception cause = new InterruptException("the node stops");
        assertThat(Thread.interrupted()).as("Kafka's exception sets it").isTrue();
        assertThat(SendFailure.of(cause)).isEqualTo(SendFailure.OF_THE_BROKER);
    }

    @Test
    void a_value_that_can_not_be_serialized_is_of_the_record_whatever_its_cause() {
        assertThat(SendFailure.of(new SerializationException("?", new IllegalStateException())))
                .isEqualTo(SendFailure.OF_THE_RECORD);
    }

    @Test
    void a_broker_that_fails_costs_no_attempt_and_one_record_may_be_the_reason() {
        Exception cause = new UnknownServerException("The server experienced an unexpected error");
        assertThat(SendFailure.of(cause)).isEqualTo(SendFailure.OF_THE_BROKER);
        assertThat(SendFailure.isOfOneRecord(cause)).isTrue();
        assertThat(SendFailure.of(new UnsupportedCompressionTypeException("zstd")))
                .isEqualTo(SendFailure.OF_THE_BROKER);
    }

    @Test
    void a_missing_right_on_a_topic_says_nothing_about_the_producer_and_one_record_may_be_the_reason() {
        Exception cause = new TopicAuthorizationException("orders");
        assertThat(SendFailure.of(cause)).isEqualTo(SendFailure.OF_THE_BROKER);
        assertThat(SendFailure.isOfOneRecord(cause)).isTrue();
    }

    @Test
    void everything_else_is_an_ordinary_failure() {
        KafkaException cause = new PolicyViolationException("surprise");
        assertThat(SendFailure.of(cause)).isEqualTo(SendFailure.UNKNOWN);
        assertThat(SendFailure.UNKNOWN.exception("orders", cause)).isSameAs(cause);
        assertThat(SendFailure.UNKNOWN.exception("orders", new ArithmeticException("?")))
                .hasMessageContaining("OUTBOX-0805 sending to topic orders failed (ArithmeticException: ?)");
    }
}
