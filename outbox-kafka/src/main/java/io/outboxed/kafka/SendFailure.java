package io.outboxed.kafka;

import io.outboxed.OutboxException;
import io.outboxed.PermanentFailureException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.errors.TransactionCoordinatorFencedException;
import org.apache.kafka.common.errors.UnknownProducerIdException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** What a failed send means. */
enum SendFailure {
    /** No attempt with this record can succeed. */
    OF_THE_RECORD,
    /**
     * The broker is unreachable, busy or broken, the topic may not be written to, or another record was at fault: the
     * producer recovers by itself.
     */
    OF_THE_BROKER,
    /** The topic does not accept the time of this node, which the record carries. The next attempt has a new one. */
    OF_THE_CLOCK,
    /** This producer will not work again, or a right is missing that concerns all topics. */
    OF_THE_PRODUCER,
    UNKNOWN;

    private static final List<Class<? extends Exception>> RECORD = List.of(
            RecordTooLargeException.class,
            RecordBatchTooLargeException.class,
            SerializationException.class,
            InvalidRecordException.class,
            InvalidTopicException.class,
            UnsupportedForMessageFormatException.class);
    private static final List<Class<? extends Exception>> BROKER = List.of(
            RetriableException.class,
            InterruptException.class,
            InterruptedException.class,
            TopicAuthorizationException.class,
            UnsupportedCompressionTypeException.class,
            TransactionAbortableException.class,
            TransactionAbortedException.class);
    private static final List<Class<? extends Exception>> PRODUCER = List.of(
            AuthenticationException.class,
            AuthorizationException.class,
            InvalidProducerEpochException.class,
            OutOfOrderSequenceException.class,
            UnknownProducerIdException.class,
            // with these the producer enters its fatal state
            InvalidPidMappingException.class,
            ProducerFencedException.class,
            InvalidTxnStateException.class,
            TransactionCoordinatorFencedException.class,
            UnsupportedVersionException.class,
            // closed
            IllegalStateException.class,
            // our own: the producer itself ends each send in time, unless its thread has died or hangs
            TimeoutException.class);
    /** Kafka has no class for it. With a text that is not recognised, the producer is replaced, which does no harm. */
    private static final String ANOTHER_RECORD_IS_INVALID = "it was part of a batch";
    /** Of several records in one batch, Kafka tells only the text. */
    private static final String TIMESTAMP_IS_OUT_OF_RANGE = "Timestamp ";
    /** The producer names the one that a record exceeds. */
    private static final List<String> LIMITS_OF_THE_PRODUCER =
            List.of(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, ProducerConfig.BUFFER_MEMORY_CONFIG);

    static SendFailure of(Throwable failure) {
        if (isOfTheClock(failure)) {
            return OF_THE_CLOCK;
        }
        if (isOneOf(RECORD, failure)) {
            return OF_THE_RECORD;
        }
        if (isOneOf(BROKER, failure) || isOfAnotherRecord(failure)) {
            return OF_THE_BROKER;
        }
        if (isOfTheProducer(failure)) {
            return OF_THE_PRODUCER;
        }
        return isUnexpectedToTheBroker(failure) ? OF_THE_BROKER : UNKNOWN;
    }

    /** UNKNOWN_SERVER_ERROR: the broker has failed. For records that it refuses, Kafka's protocol has other errors. */
    private static boolean isUnexpectedToTheBroker(Throwable failure) {
        return failure instanceof UnknownServerException;
    }

    private static boolean isOfTheClock(Throwable failure) {
        return failure instanceof InvalidTimestampException
                || failure instanceof InvalidRecordException
                        && String.valueOf(failure.getMessage()).startsWith(TIMESTAMP_IS_OUT_OF_RANGE);
    }

    /** Whether this may be due to one record among several that were sent together. */
    static boolean isOfOneRecord(Throwable failure) {
        SendFailure kind = of(failure);
        return kind.isRefusal()
                || kind == UNKNOWN
                || failure instanceof TopicAuthorizationException
                || isUnexpectedToTheBroker(failure)
                || isOfAnotherRecord(failure);
    }

    private static boolean isOfAnotherRecord(Throwable failure) {
        return failure.getClass() == KafkaException.class
                && String.valueOf(failure.getMessage()).contains(ANOTHER_RECORD_IS_INVALID);
    }

    /**
     * Answers of a broker are of a subclass of {@code ApiException}. What else is thrown by {@code send}, or ends it,
     * says that the producer is closed or in its fatal state; what it reports of a record or an interrupt has been
     * sorted out before, and it catches what interceptors throw.
     */
    private static boolean isOfTheProducer(Throwable failure) {
        return failure instanceof KafkaException && !(failure instanceof ApiException)
                || CauseChain.of(failure).anyMatch(each -> isOneOf(PRODUCER, each));
    }

    /** The limit of a topic may change, that of the producer does not. */
    static boolean isTooLargeForTheTopic(Throwable failure) {
        return failure instanceof RecordTooLargeException
                && LIMITS_OF_THE_PRODUCER.stream().noneMatch(String.valueOf(failure.getMessage())::contains);
    }

    /** A later producer with the same transactional id has been opened. */
    static boolean isFenced(Throwable failure) {
        return CauseChain.of(failure)
                .anyMatch(each ->
                        each instanceof ProducerFencedException || each instanceof InvalidProducerEpochException);
    }

    private static boolean isOneOf(List<Class<? extends Exception>> types, Throwable cause) {
        return types.stream().anyMatch(type -> type.isInstance(cause));
    }

    /** The broker, or the producer itself, has refused this very record. */
    boolean isRefusal() {
        return this == OF_THE_RECORD || this == OF_THE_CLOCK;
    }

    /** What the relay is told. */
    RuntimeException exception(String topic, Throwable cause) {
        String what = cause.getClass().getSimpleName() + ": " + cause.getMessage();
        return switch (this) {
            case OF_THE_RECORD ->
                new PermanentFailureException(
                        "OUTBOX-0804 Kafka can't take this event for topic " + topic + " (" + what
                                + "). It was not stored there. Change the event or the limit that it exceeds"
                                + " (docs/kafka.md), then replay the dead letter",
                        cause);
            case OF_THE_CLOCK ->
                new BrokerNotReadyException("Kafka refused an event for topic " + topic
                        + " because of its timestamp, which is the clock of this node (" + what
                        + "). It was not stored there; it is sent again with a new timestamp, and no attempt is"
                        + " counted. Set the clock right, or change message.timestamp.after.max.ms or"
                        + " message.timestamp.type of the topic");
            case OF_THE_BROKER, OF_THE_PRODUCER ->
                new BrokerNotReadyException("Kafka did not confirm an event for topic " + topic + " (" + what
                        + "). It may be stored there anyway; it is sent again, and no attempt is counted");
            case UNKNOWN ->
                cause instanceof KafkaException known
                        ? known
                        : new OutboxException(
                                "OUTBOX-0805", "sending to topic " + topic + " failed (" + what + ")", cause);
        };
    }
}
