package org.example.ledger;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The library's log lines while this is open. */
final class CapturedLog extends Handler implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger("io.outboxed");

    private final List<String> lines = new CopyOnWriteArrayList<>();

    CapturedLog() {
        LOG.addHandler(this);
    }

    List<String> lines() {
        return lines;
    }

    @Override
    public void publish(LogRecord line) {
        lines.add(line.getMessage());
    }

    @Override
    public void flush() {
        // nothing is kept back
    }

    @Override
    public void close() {
        LOG.removeHandler(this);
    }
}
