package io.outboxed.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Whether the brokers let this application use transactions: asked with a transactional id that no shard has, so that
 * no producer is fenced. Used under the lock of the check.
 */
final class TransactionCheck {
    private static final String NAME = "check";
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final KafkaSettings settings;
    private final Executor threads;
    private volatile boolean passed;
    /** The producer of the check that is under way. */
    private volatile Producer<byte[], byte[]> asking;

    private volatile boolean closed;

    TransactionCheck(KafkaSettings settings, Executor threads) {
        this.settings = settings;
        this.threads = threads;
    }

    /**
     * A text if there is a problem.
     *
     * @throws ExecutionException if no broker answers
     * @throws KafkaException if no producer can be made
     */
    Optional<String> problem() throws ExecutionException {
        if (passed) {
            return Optional.empty();
        }
        Map<String, Object> config = settings.transactional(NAME);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, (int) PATIENCE.toMillis());
        Producer<byte[], byte[]> probe =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        asking = probe;
        try {
            if (closed) {
                throw new ExecutionException(new IllegalStateException("the application ends"));
            }
            probe.initTransactions();
            passed = true;
            return Optional.empty();
        } catch (RetriableException | AuthenticationException | InterruptException | IllegalStateException e) {
            throw new ExecutionException(e);
        } catch (KafkaException e) {
            if (closed) {
                throw new ExecutionException(e);
            }
            return Optional.of(inWords(e));
        } finally {
            asking = null;
            // it waits for the producer's thread, which waits for a broker that does not answer
            StrictSender.closing(threads).execute(() -> probe.close(Duration.ZERO));
        }
    }

    private String inWords(KafkaException e) {
        String ids = settings.transactionalId("*");
        return e instanceof AuthorizationException
                ? "transactional ids " + ids
                        + ": this application has no permission to use them (WRITE on TransactionalId, for"
                        + " all that begin with " + settings.transactionalId("") + ")"
                : "transactional ids " + ids + ": the brokers refuse them (" + e.getMessage() + "). "
                        + KafkaKeys.PREFIX + ProducerConfig.TRANSACTION_TIMEOUT_CONFIG + " is "
                        + settings.producer().get(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG);
    }

    /** Ends a check that is under way. Does not wait for it. For any thread. */
    void close() {
        closed = true;
        Producer<byte[], byte[]> open = asking;
        if (open != null) {
            try {
                threads.execute(() -> open.close(Duration.ZERO));
            } catch (OutOfMemoryError noThread) {
                // the check ends by itself and closes it; whoever closes it here may wait for ever
            }
        }
    }

    /** A right or a limit may have changed. */
    void again() {
        passed = false;
    }
}
