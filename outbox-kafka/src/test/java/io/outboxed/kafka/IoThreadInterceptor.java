package io.outboxed.kafka;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Does something once on the producer's I/O thread, before the confirmation reaches the sender. */
public final class IoThreadInterceptor implements ProducerInterceptor<byte[], byte[]> {
    private static final Runnable NOTHING = () -> {};
    private static final AtomicReference<Runnable> NEXT = new AtomicReference<>(NOTHING);

    static void next(Runnable action) {
        NEXT.set(action);
    }

    /** Whatever interrupts the thread. */
    static void nextHangsUntil(CountDownLatch end) {
        nextHangsUntil(new CountDownLatch(1), end);
    }

    /** @param hangs counted down when it does */
    static void nextHangsUntil(CountDownLatch hangs, CountDownLatch end) {
        next(() -> {
            hangs.countDown();
            while (true) {
                try {
                    end.await();
                    return;
                } catch (InterruptedException e) {
                    // still hangs
                }
            }
        });
    }

    @Override
    public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
        return record;
    }

    @Override
    public void onAcknowledgement(RecordMetadata metadata, Exception exception) {
        NEXT.getAndSet(NOTHING).run();
    }

    @Override
    public void close() {}

    @Override
    public void configure(Map<String, ?> settings) {}
}
