package io.outboxed.faults.app;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The time of the machine, which all nodes and the driver share. */
final class Micros {
    private Micros() {}

    static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
