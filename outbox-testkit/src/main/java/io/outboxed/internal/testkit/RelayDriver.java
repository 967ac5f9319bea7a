package io.outboxed.internal.testkit;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Makes the relay work, or waits while it does. */
public interface RelayDriver {

    /** @return whether the condition held within the limit */
    boolean runUntil(BooleanSupplier done, Duration limit);

    /** Whether retries and delays come due while the driver runs. */
    boolean letsTimePass();

    /** The relay should notice that stored times have moved by this much. */
    void advanced(Duration time);

    /** Where a call of a handler is that does not end; empty if there is none or it is unknown. */
    String running();

    /** Why a crash can't be shown here; empty if it can. */
    Optional<String> noCrash();

    /** See {@code OutboxTester.verifyRedelivery}. */
    void verifyRedelivery(Runnable scenario, Supplier<?> state);
}
