package io.outboxed.servers.broker;

import io.outboxed.servers.files.ServerDirectory;
import io.outboxed.servers.process.Children;
import io.outboxed.servers.process.FreePort;
import java.io.File;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * A broker, or a cluster of brokers, that a test can kill and start again with the same ports and the same data. A
 * cluster of three continues without one of them: each record is on all three and confirmed by at least two.
 */
public final class RealKafka implements AutoCloseable {
    public static final String USER = BrokerProgram.USER;

    public static final String PASSWORD = BrokerProgram.PASSWORD;
    private static final int PARTITIONS = 4;
    private static final int ATTEMPTS = 3;
    private static RealKafka shared;

    private final List<BrokerNode> nodes;
    private final Runnable afterEnd;
    private volatile boolean closed;

    /** @param afterEnd called by each {@link #close} when the nodes have ended */
    private RealKafka(int size, Path directory, IntSupplier anyPort, Runnable afterEnd) {
        this.nodes = startedOnPorts(size, directory, anyPort);
        this.afterEnd = afterEnd;
    }

    /** Another process may take a free port before the broker binds it; then other ports are used. */
    private static List<BrokerNode> startedOnPorts(int size, Path directory, IntSupplier anyPort) {
        for (int attempt = 1; ; attempt++) {
            List<BrokerNode> nodes = nodes(size, directory, anyPort);
            try {
                launch(nodes, nodes);
                nodes.forEach(BrokerNode::awaitReady);
                return nodes;
            } catch (RuntimeException e) {
                nodes.forEach(BrokerNode::kill);
                if (attempt == ATTEMPTS || nodes.stream().allMatch(BrokerNode::hasFreePorts)) {
                    throw e;
                }
            }
        }
    }

    static List<BrokerNode> nodes(int size, Path directory, IntSupplier anyPort) {
        List<Integer> ports = IntStream.generate(anyPort)
                .distinct()
                .limit((long) size * BrokerNode.PORTS)
                .boxed()
                .toList();
        return IntStream.range(0, size)
                .mapToObj(node -> new BrokerNode(
                        node + 1, directory, ports.subList(node * BrokerNode.PORTS, (node + 1) * BrokerNode.PORTS)))
                .toList();
    }

    /** @param ended those of the nodes that do not run */
    private static void launch(List<BrokerNode> nodes, List<BrokerNode> ended) {
        String voters = nodes.stream().map(BrokerNode::voter).collect(Collectors.joining(","));
        ended.forEach(node -> node.launch(voters));
    }

    /** One broker for all tests of this JVM, with topics of their own. */
    public static synchronized RealKafka shared() {
        if (shared == null) {
            shared = cluster(1);
        }
        return shared;
    }

    /** One broker, whose data stays in the directory when it is closed. The caller closes it when this JVM ends. */
    public static RealKafka in(Path directory) {
        return new RealKafka(1, directory, FreePort::any, () -> {});
    }

    /** Data and logs are in a temporary directory. */
    public static RealKafka cluster(int size) {
        return cluster(size, FreePort::any);
    }

    static RealKafka cluster(int size, IntSupplier anyPort) {
        ServerDirectory directory = ServerDirectory.open(null, "RealKafka");
        try {
            RealKafka started = new RealKafka(size, directory.root(), anyPort, directory::close);
            Children.endAtExit(started);
            return started;
        } catch (RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    /** The nodes, for {@code bootstrap.servers}. Clients need no login there, and may do everything. */
    public String address() {
        return nodes.stream().map(BrokerNode::address).collect(Collectors.joining(","));
    }

    /** The first node's listener for SASL_PLAINTEXT with the mechanism PLAIN. {@link #USER} is the only user. */
    public String loginAddress() {
        return nodes.get(0).loginAddress();
    }

    /** The file with the first node's process id. */
    public Path pidFile() {
        return nodes.get(0).pidFile();
    }

    /** Waits until the first node ends, for whatever reason. */
    public void awaitEnd() {
        nodes.get(0).awaitEnd();
    }

    public int size() {
        return nodes.size();
    }

    /** Starts what is not running and returns when it is ready. */
    public synchronized void start() {
        List<BrokerNode> ended =
                nodes.stream().filter(node -> !node.isRunning()).toList();
        launch(nodes, ended);
        if (closed) {
            // perhaps the close came too early to see a process
            kill();
        }
        ended.forEach(BrokerNode::awaitReady);
    }

    /** SIGKILL to all nodes. */
    public synchronized void kill() {
        nodes.forEach(BrokerNode::kill);
    }

    /** SIGKILL to one node, counted from 0. */
    public synchronized void kill(int node) {
        nodes.get(node).kill();
    }

    /** SIGSTOP: connections are accepted, and nothing is answered. */
    public synchronized void freeze() {
        nodes.forEach(BrokerNode::freeze);
    }

    public synchronized void thaw() {
        nodes.forEach(BrokerNode::thaw);
    }

    public void createTopic(String name) {
        createTopic(name, Map.of());
    }

    public void createTopicIfMissing(String name) {
        Set<String> existing =
                ask("the topics", admin -> admin.listTopics().names().get());
        if (!existing.contains(name)) {
            createTopic(name);
        }
    }

    public void createTopic(String name, Map<String, String> settings) {
        NewTopic topic = new NewTopic(name, PARTITIONS, (short) nodes.size()).configs(settings);
        until("topic " + name, admin -> isCreated(admin, topic));
        until("topic " + name, admin -> isKnown(admin, name));
    }

    private void until(String what, Request<Boolean> isDone) {
        while (!ask(what, isDone)) {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    /** A broker that answers may still be fenced for a moment: the controller puts no topic on it then. */
    private static boolean isCreated(Admin admin, NewTopic topic) throws InterruptedException, ExecutionException {
        try {
            admin.createTopics(List.of(topic)).all().get();
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof InvalidReplicationFactorException) {
                return false;
            }
            throw e;
        }
    }

    /** A broker learns of a topic a moment after the controller has created it. */
    private static boolean isKnown(Admin admin, String topic) throws InterruptedException, ExecutionException {
        try {
            admin.describeTopics(List.of(topic)).allTopicNames().get();
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return false;
            }
            throw e;
        }
    }

    /** The most bytes that the topic takes in one message. */
    public void limit(String topic, int bytes) {
        AlterConfigOp most = new AlterConfigOp(
                new ConfigEntry(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, String.valueOf(bytes)), AlterConfigOp.OpType.SET);
        ask(
                "limit of " + topic,
                admin -> admin.incrementalAlterConfigs(
                                Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), List.of(most)))
                        .all()
                        .get());
    }

    /** Once there is an access control list for a topic, {@link #USER} may do there only what it allows. */
    public void allow(String topic, AclOperation operation) {
        allow(right(topic, operation));
    }

    /** The same for all transactional ids that begin like this. */
    public void allowTransactionalIds(String prefix, AclOperation operation) {
        allow(right(new ResourcePattern(ResourceType.TRANSACTIONAL_ID, prefix, PatternType.PREFIXED), operation));
    }

    private void allow(AclBinding right) {
        ask(right.toString(), admin -> admin.createAcls(List.of(right)).all().get());
        until(right.toString(), admin -> isKnown(admin, right));
    }

    /** Takes back what was allowed. */
    public void disallow(String topic, AclOperation operation) {
        AclBinding right = right(topic, operation);
        ask(
                right.toString(),
                admin -> admin.deleteAcls(List.of(right.toFilter())).all().get());
        until(right.toString(), admin -> !isKnown(admin, right));
    }

    /** A broker learns of a right a moment after the controller has stored it. */
    private static boolean isKnown(Admin admin, AclBinding right) throws InterruptedException, ExecutionException {
        return admin.describeAcls(right.toFilter()).values().get().contains(right);
    }

    private static AclBinding right(String topic, AclOperation operation) {
        return right(new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL), operation);
    }

    private static AclBinding right(ResourcePattern on, AclOperation operation) {
        return new AclBinding(on, new AccessControlEntry("User:" + USER, "*", operation, AclPermissionType.ALLOW));
    }

    /**
     * Maven's {@code exec:java} has a class loader of its own. Surefire's class path may be a single jar that refers to
     * the others.
     */
    public static String classPath() {
        if (RealKafka.class.getClassLoader() instanceof URLClassLoader loader) {
            return Arrays.stream(loader.getURLs())
                    .map(url -> Path.of(URI.create(url.toString())).toString())
                    .collect(Collectors.joining(File.pathSeparator));
        }
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    @FunctionalInterface
    private interface Request<T> {
        T send(Admin admin) throws InterruptedException, ExecutionException;
    }

    private <T> T ask(String what, Request<T> request) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", address()))) {
            return request.send(admin);
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("not done: " + what, e);
        }
    }

    /** Also ends a start that hangs, and so does not wait for the lock that it holds. */
    @Override
    public void close() {
        Children.forget(this);
        closed = true;
        nodes.forEach(BrokerNode::kill);
        afterEnd.run();
    }
}
