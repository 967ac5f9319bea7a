package io.outboxed.faults.app;

import io.outboxed.OutboxMessage;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The history of calls on this node: one line when a call starts, one when it ends. A line is written to the operating
 * system with one call, so it survives when this process is killed.
 */
@ApplicationScoped
public class Journal {
    /** After a redeployment in the same server, the file has the calls of both. */
    private final String deployment = Long.toString(System.nanoTime(), Character.MAX_RADIX);

    private final AtomicLong calls = new AtomicLong();
    private FileOutputStream file;

    @PostConstruct
    void open() {
        try {
            file = new FileOutputStream(System.getProperty("faults.journal"), true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A running call. If it is closed without {@link #succeeded()}, it has failed. */
    public final class Call implements AutoCloseable {
        private final String call = deployment + "-" + calls.incrementAndGet();
        private boolean succeeded;

        public void succeeded() {
            succeeded = true;
        }

        @Override
        public void close() {
            append("E " + call + " " + (succeeded ? "ok" : "failed"));
        }
    }

    public Call begin(String handler, String id, String account, long number, OutboxMessage message) {
        Call call = new Call();
        append("S " + call.call + " " + handler + " " + id + " " + (account.isEmpty() ? "-" : account) + " " + number
                + " " + message.attempt());
        return call;
    }

    /** Records a dead letter that is about to be replayed or discarded, because that removes it. */
    public void died(String handler, String payload, String error) {
        append("D " + handler + " " + payload.replace(' ', '_') + " " + error.replaceAll("\\s", "_"));
    }

    /** Records that this one may be discarded from now on. */
    public void mayBeDiscarded(String handler, String payload) {
        append("X " + handler + " " + payload.replace(' ', '_'));
    }

    /** Records that the client of a request knows that its effect has been committed. */
    void answered(String request) {
        append("R " + request);
    }

    private synchronized void append(String line) {
        try {
            file.write((line + " " + Micros.now() + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
