package io.outboxed.jms;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What is logged while this is open. */
final class LoggedLines extends Handler implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger("io.outboxed");

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Level before = LOG.getLevel();

    LoggedLines() {
        LOG.setLevel(Level.ALL);
        LOG.addHandler(this);
    }

    List<String> with(String id) {
        return lines.stream().filter(line -> line.startsWith(id)).toList();
    }

    @Override
    public void publish(LogRecord line) {
        lines.add(line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        LOG.removeHandler(this);
        LOG.setLevel(before);
    }
}
