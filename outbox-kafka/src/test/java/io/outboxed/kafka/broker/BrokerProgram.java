package io.outboxed.kafka.broker;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/** One node in KRaft mode. These classes are not public API of Kafka: their version is pinned. */
final class BrokerProgram {
    static final String READY = "the broker is ready";
    private static final String CLUSTER = "4L6g3nShT-eMCtK--X86sw";

    private BrokerProgram() {}

    /** @param arguments port, port of the controller, directory */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[2]);
        if (!Files.exists(directory.resolve("meta.properties"))) {
            format(directory);
        }
        KafkaRaftServer server =
                new KafkaRaftServer(new KafkaConfig(settings(arguments[0], arguments[1], directory)), Time.SYSTEM);
        server.startup();
        System.out.println(READY);
        server.awaitShutdown();
    }

    private static void format(Path directory) throws Exception {
        Files.createDirectories(directory);
        new Formatter()
                .setClusterId(CLUSTER)
                .setNodeId(1)
                .setDirectories(List.of(directory.toString()))
                .setMetadataLogDirectory(directory.toString())
                .setControllerListenerName("CONTROLLER")
                .setSupportedFeatures(List.of())
                .setReleaseVersion(MetadataVersion.latestProduction())
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .run();
    }

    private static Map<String, String> settings(String port, String controller, Path directory) {
        return Map.ofEntries(
                Map.entry("process.roles", "broker,controller"),
                Map.entry("node.id", "1"),
                Map.entry("listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controller),
                Map.entry("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port),
                Map.entry("controller.listener.names", "CONTROLLER"),
                Map.entry("inter.broker.listener.name", "PLAINTEXT"),
                Map.entry("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"),
                Map.entry("controller.quorum.voters", "1@127.0.0.1:" + controller),
                Map.entry("log.dirs", directory.toString()),
                Map.entry("offsets.topic.replication.factor", "1"),
                Map.entry("offsets.topic.num.partitions", "1"),
                Map.entry("transaction.state.log.replication.factor", "1"),
                Map.entry("transaction.state.log.min.isr", "1"),
                Map.entry("share.coordinator.state.topic.replication.factor", "1"),
                Map.entry("share.coordinator.state.topic.min.isr", "1"),
                Map.entry("min.insync.replicas", "1"),
                Map.entry("auto.create.topics.enable", "false"),
                Map.entry("group.initial.rebalance.delay.ms", "0"),
                Map.entry("broker.session.timeout.ms", "1500"),
                Map.entry("broker.heartbeat.interval.ms", "200"),
                Map.entry("log.cleaner.dedupe.buffer.size", "2097152"));
    }
}
