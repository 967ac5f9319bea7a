package io.outboxed.servers.broker;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
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
    static final String USER = "outbox";
    static final String PASSWORD = "outbox-secret";
    private static final String CLUSTER = "4L6g3nShT-eMCtK--X86sw";

    private BrokerProgram() {}

    /** @param arguments id, port, port of the listener with a login, all voters, directory */
    public static void main(String[] arguments) throws Exception {
        int id = Integer.parseInt(arguments[0]);
        Path directory = Path.of(arguments[4]);
        if (!Files.exists(directory.resolve("meta.properties"))) {
            format(id, directory);
        }
        Map<String, String> settings = new HashMap<>(ofEveryNode(arguments[3].split(",").length));
        settings.putAll(ofThisNode(id, arguments[1], arguments[2], arguments[3]));
        settings.put("log.dirs", directory.toString());
        KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(settings), Time.SYSTEM);
        try {
            server.startup();
        } catch (Throwable e) {
            e.printStackTrace();
            // a thread of a server that has started in part could keep the process alive
            Runtime.getRuntime().halt(1);
        }
        System.out.println(READY);
        server.awaitShutdown();
    }

    private static void format(int id, Path directory) throws Exception {
        Files.createDirectories(directory);
        new Formatter()
                .setClusterId(CLUSTER)
                .setNodeId(id)
                .setDirectories(List.of(directory.toString()))
                .setMetadataLogDirectory(directory.toString())
                .setControllerListenerName("CONTROLLER")
                .setReleaseVersion(MetadataVersion.latestProduction())
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .run();
    }

    private static Map<String, String> ofThisNode(int id, String port, String loginPort, String voters) {
        String controller = voters.replaceFirst("(?:^|.*,)" + id + "@([^,]*).*", "$1");
        String open = "PLAINTEXT://127.0.0.1:" + port;
        String login = "LOGIN://127.0.0.1:" + loginPort;
        return Map.of(
                "node.id",
                String.valueOf(id),
                "listeners",
                open + "," + login + ",CONTROLLER://" + controller,
                "advertised.listeners",
                open + "," + login,
                "controller.quorum.voters",
                voters);
    }

    private static Map<String, String> ofEveryNode(int nodes) {
        String copies = String.valueOf(Math.min(3, nodes));
        String confirmed = nodes > 1 ? "2" : "1";
        return Map.ofEntries(
                Map.entry("process.roles", "broker,controller"),
                Map.entry("controller.listener.names", "CONTROLLER"),
                Map.entry("inter.broker.listener.name", "PLAINTEXT"),
                Map.entry(
                        "listener.security.protocol.map",
                        "PLAINTEXT:PLAINTEXT,LOGIN:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT"),
                Map.entry("sasl.enabled.mechanisms", "PLAIN"),
                Map.entry(
                        "listener.name.login.plain.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required user_" + USER + "=\""
                                + PASSWORD + "\";"),
                Map.entry("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer"),
                // a client without a login may do everything, the user everything that is on no access control list
                Map.entry("super.users", "User:ANONYMOUS"),
                Map.entry("allow.everyone.if.no.acl.found", "true"),
                Map.entry("offsets.topic.replication.factor", copies),
                Map.entry("offsets.topic.num.partitions", "1"),
                Map.entry("transaction.state.log.num.partitions", "4"),
                Map.entry("transaction.state.log.replication.factor", copies),
                Map.entry("transaction.state.log.min.isr", confirmed),
                Map.entry("share.coordinator.state.topic.replication.factor", copies),
                Map.entry("share.coordinator.state.topic.min.isr", confirmed),
                Map.entry("min.insync.replicas", confirmed),
                Map.entry("auto.create.topics.enable", "false"),
                Map.entry("group.initial.rebalance.delay.ms", "0"),
                Map.entry("broker.session.timeout.ms", "1500"),
                Map.entry("broker.heartbeat.interval.ms", "200"),
                Map.entry("log.cleaner.dedupe.buffer.size", "2097152"));
    }
}
