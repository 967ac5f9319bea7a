package io.outboxed.internal.metrics;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** The library's log lines while this is open, each with its level. */
public final class CapturedLog implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger("io.outboxed");

    public final List<String> lines = new CopyOnWriteArrayList<>();
    public final List<Throwable> thrown = new CopyOnWriteArrayList<>();
    private final Level before = LOG.getLevel();
    private final Handler listener = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getLevel() + " " + new SimpleFormatter().formatMessage(line));
            if (line.getThrown() != null) {
                thrown.add(line.getThrown());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    public CapturedLog() {
        LOG.setLevel(null);
        LOG.addHandler(listener);
    }

    @Override
    public void close() {
        LOG.removeHandler(listener);
        LOG.setLevel(before);
    }
}
