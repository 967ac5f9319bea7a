package io.outboxed.kafka;

import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.process.ServerProcess;
import io.outboxed.servers.process.ServerProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Forwarders in processes of their own. */
final class Forwarders {
    private static final Duration SHORT_LEASE = Duration.ofSeconds(2);
    private static final int FOREVER = Integer.MAX_VALUE;

    private Forwarders() {}

    /** @return the exit code of a forwarder that survives this number of confirmations */
    static int run(StoredEvents stored, RealKafka kafka, String topic, int survives) throws IOException {
        return start(stored, kafka, topic, survives, SHORT_LEASE, List.of()).awaitEnd();
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
        Path log = Files.createTempFile(Path.of("target").toAbsolutePath(), "forwarder", ".log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                RealKafka.classPath(),
                ForwarderProgram.class.getName(),
                stored.url(),
                kafka.address(),
                topic,
                String.valueOf(survives),
                String.valueOf(lease.toMillis())));
        command.addAll(more);
        return ServerProcess.start(new ServerProgram("a forwarder", command, Map.of(), log, "TERM"));
    }
}
