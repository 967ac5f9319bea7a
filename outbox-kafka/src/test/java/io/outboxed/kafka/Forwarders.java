package io.outboxed.kafka;

import io.outboxed.kafka.broker.RealKafka;
import io.outboxed.servers.process.ServerProcess;
import io.outboxed.servers.process.ServerProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Forwarders in processes of their own. */
final class Forwarders {
    private Forwarders() {}

    /** @return the exit code of a forwarder that survives this number of confirmations */
    static int run(StoredEvents stored, RealKafka kafka, String topic, int survives) throws IOException {
        Path log = Files.createTempFile(Path.of("target").toAbsolutePath(), "forwarder", ".log");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                RealKafka.classPath(),
                ForwarderProgram.class.getName(),
                stored.url(),
                kafka.address(),
                topic,
                String.valueOf(survives));
        return ServerProcess.start(new ServerProgram("a forwarder", command, Map.of(), log, "TERM"))
                .awaitEnd();
    }
}
