package io.outboxed.internal.relay.node;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** While this is open, the library's line with this id ends in an error. */
public final class FailingLog implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger("io.outboxed");

    private final Level before = LOG.getLevel();
    private final Handler listener;
    private boolean used;

    public FailingLog(String id) {
        listener = new Handler() {
            @Override
            public void publish(LogRecord line) {
                if (line.getMessage().startsWith(id)) {
                    used = true;
                    throw new StackOverflowError("in a test");
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        LOG.setLevel(null);
        LOG.addHandler(listener);
    }

    public boolean wasUsed() {
        return used;
    }

    @Override
    public void close() {
        LOG.removeHandler(listener);
        LOG.setLevel(before);
    }
}
