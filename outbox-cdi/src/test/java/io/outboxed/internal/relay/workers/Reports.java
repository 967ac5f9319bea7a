package io.outboxed.internal.relay.workers;

import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.RelayDependencies;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A reporter without a loop: each report is made at once, on the worker's thread. */
public final class Reports {
    private Reports() {}

    /**
     * @param successes those that are to be recorded
     * @param ended all other ends
     */
    public static CallReporter to(RelayDependencies parts, Consumer<Call> successes, BiConsumer<Call, Outcome> ended) {
        CallListener loop = new CallListener() {
            @Override
            public void ended(Call call, Outcome outcome) {
                ended.accept(call, outcome);
            }

            @Override
            public void receiverWorks(Call call) {}
        };
        return new CallReporter(parts, Runnable::run, loop, successes);
    }
}
