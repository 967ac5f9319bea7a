package io.outboxed.kafka;

import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.kafka.RecordSender.PendingSend;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.ProducerRecord;

/** An event that waits for its transaction. */
final class StrictSend implements PendingSend {
    private final ProducerRecord<byte[], byte[]> record;
    private final Lease lease;
    private final Predicate<Lease> isValid;
    private final long deadline;
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    StrictSend(ProducerRecord<byte[], byte[]> record, Lease lease, Predicate<Lease> isValid, Duration longest) {
        this.record = record;
        this.lease = lease;
        this.isValid = isValid;
        this.deadline = System.nanoTime() + longest.toNanos();
    }

    ProducerRecord<byte[], byte[]> record() {
        return record;
    }

    Lease lease() {
        return lease;
    }

    boolean isLeaseValid() {
        return isValid.test(lease);
    }

    /** Its worker waits at least that long. */
    boolean hasTimeFor(Duration transaction) {
        return deadline - System.nanoTime() >= transaction.toNanos();
    }

    /** A worker still waits for it. */
    boolean isWanted() {
        return !end.isDone();
    }

    void committed() {
        end.complete(null);
    }

    void failed(RuntimeException failure) {
        end.completeExceptionally(failure);
    }

    @Override
    public Void call() {
        try {
            return end.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw (RuntimeException) e.getCause();
        } catch (TimeoutException | InterruptedException e) {
            end.cancel(false);
            throw SendFailure.OF_THE_BROKER.exception(record.topic(), e);
        }
    }
}
