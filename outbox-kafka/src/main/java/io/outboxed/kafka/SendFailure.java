package io.outboxed.kafka;

import io.outboxed.OutboxException;
import io.outboxed.PermanentFailureException;
import java.util.List;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.UnknownProducerIdException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;

/** What a failed send means. */
enum SendFailure {
    /** No attempt with this record can succeed. */
    OF_THE_RECORD,
    /** The broker is away or busy: the producer recovers by itself. */
    OF_THE_BROKER,
    /** This producer will not work again, or the rights on the topic have changed. */
    OF_THE_PRODUCER,
    UNKNOWN;

    private static final List<Class<? extends Exception>> RECORD = List.of(
            RecordTooLargeException.class,
            RecordBatchTooLargeException.class,
            SerializationException.class,
            InvalidRecordException.class,
            InvalidTopicException.class,
            InvalidTimestampException.class,
            UnsupportedForMessageFormatException.class);
    private static final List<Class<? extends Exception>> BROKER = List.of(
            RetriableException.class,
            InterruptException.class,
            InterruptedException.class,
            java.util.concurrent.TimeoutException.class);
    private static final List<Class<? extends Exception>> PRODUCER = List.of(
            AuthenticationException.class,
            AuthorizationException.class,
            InvalidProducerEpochException.class,
            OutOfOrderSequenceException.class,
            UnknownProducerIdException.class,
            // closed
            IllegalStateException.class);

    static SendFailure of(Throwable cause) {
        return isOneOf(RECORD, cause)
                ? OF_THE_RECORD
                : isOneOf(BROKER, cause) ? OF_THE_BROKER : isOneOf(PRODUCER, cause) ? OF_THE_PRODUCER : UNKNOWN;
    }

    private static boolean isOneOf(List<Class<? extends Exception>> types, Throwable cause) {
        return types.stream().anyMatch(type -> type.isInstance(cause));
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
            case OF_THE_BROKER, OF_THE_PRODUCER ->
                new BrokerNotReadyException("Kafka did not confirm an event for topic " + topic + " (" + what
                        + "). It may be stored there all the same; it is sent again, and no attempt is counted");
            case UNKNOWN ->
                cause instanceof KafkaException known
                        ? known
                        : new OutboxException(
                                "OUTBOX-0805", "sending to topic " + topic + " failed (" + what + ")", cause);
        };
    }
}
