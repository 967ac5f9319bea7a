package io.outboxed.internal.relay;

import java.time.Duration;

/** Work on the tables that one node does, in short steps on a thread that the relay does not need. */
public interface MaintenanceTask {

    /** For logs and metrics. */
    String name();

    /** From the end of one run to the beginning of the next one, also after a failure. */
    Duration interval();

    /** While a run has more to do, its steps take 1/share of the time. */
    default int share() {
        return 10;
    }

    /** If it throws, the next step begins anew. */
    Step step();

    /** What follows a step. */
    enum Step {
        /** There is more to do in this run, after a pause. */
        MORE,
        /** The run is complete. */
        COMPLETE,
        /** The run ends here, but has not done everything. This counts as a failure. */
        POSTPONED,
        /** The run ends here without having done everything, but not by a failure that has not been counted. */
        SKIPPED
    }
}
