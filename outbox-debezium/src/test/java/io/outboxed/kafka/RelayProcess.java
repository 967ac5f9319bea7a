package io.outboxed.kafka;

import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.process.ServerProcess;
import io.outboxed.servers.process.ServerProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The relay and its forwarder in a process of their own, with as much memory as Debezium has here. */
final class RelayProcess implements AutoCloseable {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final int SURVIVES_ALL = Integer.MAX_VALUE;
    private final ServerProcess process;

    private RelayProcess(ServerProcess process) {
        this.process = process;
    }

    /** Returns when the relay is ready. */
    static RelayProcess start(String databaseUrl, Topic topic) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                RealKafka.classPath(),
                ForwarderProgram.class.getName(),
                databaseUrl,
                topic.kafka().address(),
                topic.name(),
                String.valueOf(SURVIVES_ALL),
                String.valueOf(LEASE.toMillis()));
        Path log = Files.createTempFile(Path.of("target").toAbsolutePath(), "relay", ".log");
        return new RelayProcess(ServerProcess.start(new ServerProgram("the relay", command, Map.of(), log, "TERM"))
                .awaitLogged(ForwarderProgram.READY));
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.kill();
    }
}
