package io.outboxed.kafka;

import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.process.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Forwarders in processes of their own. */
final class Forwarders {
    private static final Duration SHORT_LEASE = Duration.ofSeconds(2);
    private static final int FOREVER = Integer.MAX_VALUE;

    private Forwarders() {}

    /** @return the exit code of a forwarder that survives this number of confirmations */
    static int run(StoredEvents stored, RealKafka kafka, String topic, int survives) throws IOException {
        return run(stored, kafka, topic, survives, List.of());
    }

    /** @param more arguments of {@link ForwarderProgram} */
    static int run(StoredEvents stored, RealKafka kafka, String topic, int survives, List<String> more)
            throws IOException {
        return start(stored, kafka, topic, survives, SHORT_LEASE, more).awaitEnd();
    }

    /**
     * Returns when the forwarder is ready.
     *
     * @param more arguments of {@link ForwarderProgram}
     */
    static ServerProcess start(StoredEvents stored, RealKafka kafka, String topic, Duration lease, List<String> more)
            throws IOException {
        return start(stored, kafka, topic, FOREVER, lease, more).awaitLogged(ForwarderProgram.READY);
    }

    private static ServerProcess start(
            StoredEvents stored, RealKafka kafka, String topic, int survives, Duration lease, List<String> more)
            throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                stored.url(), kafka.address(), topic, String.valueOf(survives), String.valueOf(lease.toMillis())));
        arguments.addAll(more);
        return TestProgram.start("forwarder", ForwarderProgram.class, arguments);
    }
}
