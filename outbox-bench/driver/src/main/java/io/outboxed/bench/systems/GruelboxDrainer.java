package io.outboxed.bench.systems;

import io.outboxed.bench.database.BenchDatabase;
import io.outboxed.bench.database.Meter;
import io.outboxed.bench.database.Pause;
import io.outboxed.bench.database.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * gruelbox transaction-outbox with a backlog: flushed, and flushed again as soon as that batch is handled. A flush
 * while its threads work makes them miss rows on MySQL, which it retries only seconds later.
 */
public final class GruelboxDrainer implements Drainer {
    private static final int IN_A_TRANSACTION = 500;

    private final BenchDatabase database;
    private final int mostMessages;
    private final AtomicInteger handled = new AtomicInteger();
    private final Gruelbox gruelbox;

    /** @param mostMessages the largest backlog that it is given, because it would take too long for a larger one */
    public GruelboxDrainer(BenchDatabase database, int mostMessages) {
        this.database = database;
        this.mostMessages = mostMessages;
        this.gruelbox = new Gruelbox(database, new Gruelbox.Handler(number -> handled.incrementAndGet()));
    }

    @Override
    public String name() {
        return "gruelbox";
    }

    @Override
    public int messagesOf(int wanted) {
        return Math.min(wanted, mostMessages);
    }

    @Override
    public Drained drain(Shape shape) {
        int messages = shape.messages();
        handled.set(0);
        Meter meter =
                Meter.beforeFilling(database, List.of(ProcessHandle.current().pid()), messages);
        fill(shape);
        meter.start();
        long begin = System.nanoTime();
        for (int flushed = 0; handled.get() < messages; ) {
            gruelbox.flush();
            flushed = Math.min(messages, flushed + Gruelbox.FLUSHED_AT_ONCE);
            awaitHandled(flushed);
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        return new Drained(messages, seconds, meter.stop());
    }

    private void awaitHandled(int wanted) {
        long deadline = System.nanoTime() + Gruelbox.RETRY.toNanos();
        while (handled.get() < wanted && System.nanoTime() < deadline) {
            Pause.millis(1);
        }
    }

    private void fill(Shape shape) {
        List<String> texts = new ArrayList<>();
        try {
            shape.forEach((number, aggregate, payload) -> {
                texts.add(payload);
                if (texts.size() == IN_A_TRANSACTION) {
                    gruelbox.leave(texts);
                    texts.clear();
                }
            });
        } catch (Exception e) {
            throw new IllegalStateException("the backlog could not be made", e);
        }
        gruelbox.leave(texts);
        Pause.millis(Gruelbox.SOON.toMillis());
    }

    @Override
    public void close() {
        gruelbox.close();
    }
}
