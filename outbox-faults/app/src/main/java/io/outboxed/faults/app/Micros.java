package io.outboxed.faults.app;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The time of the machine, which all nodes and the driver share, even if this node's clock is off on purpose. */
public final class Micros {
    private static final long OFF = Long.getLong("faults.clock-off-micros", 0);

    private Micros() {}

    public static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) - OFF;
    }
}
