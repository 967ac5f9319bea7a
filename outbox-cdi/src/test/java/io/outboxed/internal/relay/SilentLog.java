package io.outboxed.internal.relay;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Keeps the failures that a test class expects out of the log; for {@link ExtendWith}. */
public final class SilentLog implements BeforeAllCallback, AfterAllCallback {
    private static final Logger LOG = Logger.getLogger("io.outboxed");

    @Override
    public void beforeAll(ExtensionContext context) {
        LOG.setLevel(Level.OFF);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        LOG.setLevel(null);
    }
}
