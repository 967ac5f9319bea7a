package io.outboxed.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Stops its own process with SIGSTOP, once. After SIGCONT it goes on as soon as a file exists: the thread must not go on
 * before the process stands still. Created by the producer.
 */
public final class FreezesOnce implements ProducerInterceptor<byte[], byte[]> {
    static final String AT = "test.freezes.at";
    static final String UNTIL = "test.freezes.until";
    private static final AtomicBoolean FROZEN = new AtomicBoolean();

    private Point at;
    private Path until;

    enum Point {
        /** After the worker has found its lease valid, before the producer fences earlier ones. */
        OPEN,
        /** The producer is asked to send, and has sent nothing yet. */
        SEND,
        /** The broker has confirmed the record. */
        CONFIRMED
    }

    @Override
    public void configure(Map<String, ?> settings) {
        at = Point.valueOf(String.valueOf(settings.get(AT)));
        until = Path.of(String.valueOf(settings.get(UNTIL)));
        if (!String.valueOf(settings.get("transactional.id")).endsWith("-check")) {
            freeze(Point.OPEN);
        }
    }

    @Override
    public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
        freeze(Point.SEND);
        return record;
    }

    @Override
    public void onAcknowledgement(RecordMetadata metadata, Exception failure) {
        freeze(Point.CONFIRMED);
    }

    private void freeze(Point point) {
        if (at == point && FROZEN.compareAndSet(false, true)) {
            try {
                new ProcessBuilder(
                                "kill",
                                "-STOP",
                                String.valueOf(ProcessHandle.current().pid()))
                        .start()
                        .waitFor();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            while (!Files.exists(until)) {
                LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
            }
            // the relay may have noticed first that it was frozen: an interrupted thread would send nothing
            Thread.interrupted();
        }
    }

    @Override
    public void close() {}
}
