package io.outboxed.kafka;

import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.process.FreePort;
import io.outboxed.servers.process.ServerProcess;
import io.outboxed.servers.process.ServerProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Kafka Connect in a process of its own, with one connector whose file users run as it is. */
final class ConnectWorker implements AutoCloseable {
    private static final Path FILES =
            Path.of("..", "server-config", "debezium").toAbsolutePath().normalize();
    private final ServerProcess process;

    private ConnectWorker(ServerProcess process) {
        this.process = process;
    }

    /**
     * @param connector the name of the file
     * @param environment what the file takes from the environment
     */
    static ConnectWorker start(String connector, RealKafka kafka, Map<String, String> environment) throws IOException {
        Path directory = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "connect");
        Path worker = Files.writeString(directory.resolve("worker.properties"), """
                bootstrap.servers=%s
                key.converter=org.apache.kafka.connect.storage.StringConverter
                value.converter=org.apache.kafka.connect.storage.StringConverter
                offset.storage.file.filename=%s
                offset.flush.interval.ms=1000
                listeners=http://127.0.0.1:%d
                plugin.path=%s
                plugin.discovery=service_load
                config.providers=env
                config.providers.env.class=org.apache.kafka.common.config.provider.EnvVarConfigProvider
                """.formatted(
                        kafka.address(), directory.resolve("offsets"), FreePort.any(), directory));
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Dorg.slf4j.simpleLogger.log.io.debezium=info",
                "-cp",
                RealKafka.classPath(),
                "org.apache.kafka.connect.cli.ConnectStandalone",
                worker.toString(),
                FILES.resolve(connector + ".properties").toString());
        return new ConnectWorker(ServerProcess.start(
                new ServerProgram("Kafka Connect", command, environment, directory.resolve("connect.log"), "TERM")));
    }

    static Path file(String name) {
        return FILES.resolve(name);
    }

    /** Returns when Debezium has read the table and goes on with the log. */
    ConnectWorker awaitSnapshot() {
        process.awaitLogged("Snapshot ended with SnapshotResult [status=COMPLETED");
        return this;
    }

    /** Returns when the connector has given up. */
    void awaitFailure() {
        process.awaitLogged("Task is being killed and will not recover until manually restarted");
    }

    long pid() {
        return process.pid();
    }

    /** SIGKILL. */
    @Override
    public void close() {
        process.kill();
    }
}
