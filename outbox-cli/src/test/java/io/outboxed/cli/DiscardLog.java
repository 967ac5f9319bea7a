package io.outboxed.cli;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The lines that the outbox logs while this is open. */
final class DiscardLog extends Handler implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger("io.outboxed");

    private final List<String> lines = new CopyOnWriteArrayList<>();

    static DiscardLog open() {
        DiscardLog log = new DiscardLog();
        LOG.addHandler(log);
        return log;
    }

    List<String> lines() {
        return lines;
    }

    @Override
    public void publish(LogRecord entry) {
        lines.add(entry.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        LOG.removeHandler(this);
    }
}
