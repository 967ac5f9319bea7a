package io.outboxed.servers.broker;

import io.outboxed.servers.process.FreePort;
import io.outboxed.servers.process.Orphan;
import io.outboxed.servers.process.ServerFailedException;
import io.outboxed.servers.process.ServerProcess;
import io.outboxed.servers.process.ServerProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The process of one node, which keeps its ports and its data when it is killed. */
final class BrokerNode {
    static final int PORTS = 3;

    private final int id;
    private final Path directory;
    private final int port;
    private final int loginPort;
    private final int controller;
    private volatile ServerProcess process;

    /** @param ports {@link #PORTS} of them, which no other node has */
    BrokerNode(int id, Path directory, List<Integer> ports) {
        this.id = id;
        this.directory = directory;
        this.port = ports.get(0);
        this.loginPort = ports.get(1);
        this.controller = ports.get(2);
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    /** The listener that wants a user and a password. */
    String loginAddress() {
        return "127.0.0.1:" + loginPort;
    }

    /** How the other nodes reach this one to elect a leader. */
    String voter() {
        return id + "@127.0.0.1:" + controller;
    }

    /** Asked while it does not run: no other process has taken one. */
    boolean hasFreePorts() {
        return FreePort.isFree(port) && FreePort.isFree(loginPort) && FreePort.isFree(controller);
    }

    boolean isRunning() {
        ServerProcess started = process;
        return started != null && started.isAlive();
    }

    /** The file that contains the process id, for killing the broker. */
    Path pidFile() {
        return directory.resolve("kafka-" + id + ".pid");
    }

    /** Does not wait: nodes of a cluster are ready only together. Ends a node that has outlived its JVM. */
    void launch(String voters) {
        String data = directory.resolve("data-" + id).toString();
        Orphan.end(pidFile(), data);
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                RealKafka.classPath(),
                BrokerProgram.class.getName(),
                String.valueOf(id),
                String.valueOf(port),
                String.valueOf(loginPort),
                voters,
                data);
        process = ServerProcess.start(new ServerProgram(
                "Kafka node " + id, command, Map.of(), directory.resolve("kafka-" + id + ".log"), "TERM"));
        try {
            Files.writeString(pidFile(), String.valueOf(process.pid()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitEnd() {
        ServerProcess started = process;
        if (started != null) {
            started.awaitEnd();
        }
    }

    void awaitReady() {
        ServerProcess started = process;
        if (started == null) {
            throw new ServerFailedException("Kafka node " + id + " was killed while it started");
        }
        started.awaitLogged(BrokerProgram.READY);
    }

    void freeze() {
        process.freeze();
    }

    void thaw() {
        process.thaw();
    }

    /** SIGKILL. */
    void kill() {
        ServerProcess started = process;
        if (started != null) {
            started.kill();
            process = null;
        }
    }
}
