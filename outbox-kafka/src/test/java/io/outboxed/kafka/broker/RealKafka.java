package io.outboxed.kafka.broker;

import io.outboxed.servers.process.Children;
import io.outboxed.servers.process.FreePort;
import io.outboxed.servers.process.ServerProcess;
import io.outboxed.servers.process.ServerProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** A broker that a test can kill and start again, with the same port and the same data. */
public final class RealKafka implements AutoCloseable {
    private static final int PARTITIONS = 4;
    private static RealKafka shared;

    private final Path directory;
    private final int port = FreePort.any();
    private final int controller = FreePort.any();
    private ServerProcess process;

    private RealKafka(Path directory) {
        this.directory = directory;
        start();
    }

    /** One for all tests of this JVM, with topics of their own. */
    public static synchronized RealKafka shared() {
        if (shared == null) {
            try {
                Path parent = Files.createDirectories(Path.of("target").toAbsolutePath());
                shared = new RealKafka(Files.createTempDirectory(parent, "kafka"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            Children.endAtExit(shared);
        }
        return shared;
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Does nothing if it is running. */
    public synchronized void start() {
        if (process == null) {
            List<String> command = List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    classPath(),
                    BrokerProgram.class.getName(),
                    String.valueOf(port),
                    String.valueOf(controller),
                    directory.resolve("data").toString());
            process = ServerProcess.start(
                            new ServerProgram("Kafka", command, Map.of(), directory.resolve("kafka.log"), "TERM"))
                    .awaitLogged(BrokerProgram.READY);
        }
    }

    /** SIGKILL. */
    public synchronized void kill() {
        process.kill();
        process = null;
    }

    /** SIGSTOP: connections are accepted, and nothing is answered. */
    public void freeze() {
        signal("-STOP");
    }

    public void thaw() {
        signal("-CONT");
    }

    private synchronized void signal(String name) {
        try {
            new ProcessBuilder("kill", name, String.valueOf(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public void createTopic(String name) {
        createTopic(name, Map.of());
    }

    public void createTopic(String name, Map<String, String> settings) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", address()))) {
            admin.createTopics(List.of(new NewTopic(name, PARTITIONS, (short) 1).configs(settings)))
                    .all()
                    .get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("topic " + name + " could not be created", e);
        }
    }

    /** Surefire's own class path may be a single jar that refers to the others. */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    @Override
    public synchronized void close() {
        if (process != null) {
            process.kill();
            process = null;
        }
    }
}
