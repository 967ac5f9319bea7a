package io.outboxed.jms;

import io.outboxed.servers.process.Children;
import io.outboxed.servers.process.FreePort;
import io.outboxed.servers.process.ServerProcess;
import io.outboxed.servers.process.ServerProgram;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.activemq.artemis.jms.client.ActiveMQQueue;
import org.messaginghub.pooled.jms.JmsPoolConnectionFactory;

/** A broker that a test can kill and start again with the same port and the same data. */
final class RealArtemis implements AutoCloseable {
    /** A call whose answer was lost in a kill would wait for 30 seconds. */
    private static final String CALL_TIMEOUT = "?callTimeout=5000";

    private static RealArtemis shared;

    private final int port = FreePort.any();
    private final Path directory;
    private ServerProcess process;

    private RealArtemis(Path directory) {
        this.directory = directory;
    }

    /** One broker for all tests of this JVM, with queues of their own. */
    static synchronized RealArtemis shared() {
        if (shared == null) {
            try {
                Path parent = Files.createDirectories(Path.of("target").toAbsolutePath());
                shared = new RealArtemis(Files.createTempDirectory(parent, "artemis"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            Children.endAtExit(shared);
            shared.start();
        }
        return shared;
    }

    /** Returns when it is ready. */
    synchronized void start() {
        if (process != null) {
            return;
        }
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(),
                ArtemisProgram.class.getName(),
                String.valueOf(port),
                directory.resolve("data").toString());
        process = ServerProcess.start(
                        new ServerProgram("Artemis", command, Map.of(), directory.resolve("artemis.log"), "TERM"))
                .awaitLogged(ArtemisProgram.READY);
    }

    /** Surefire's own class path may be a single jar that refers to the others. */
    static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** SIGKILL. */
    synchronized void kill() {
        if (process != null) {
            process.kill();
            process = null;
        }
    }

    /** It takes what is sent, and answers when it goes on. */
    synchronized void freeze() {
        process.freeze();
    }

    synchronized void thaw() {
        process.thaw();
    }

    String address() {
        return "tcp://127.0.0.1:" + port;
    }

    ConnectionFactory pool() {
        return pool(address());
    }

    /** As a server has one: it keeps connections, also those that the broker has closed. */
    static ConnectionFactory pool(String address) {
        JmsPoolConnectionFactory pool = new JmsPoolConnectionFactory();
        pool.setConnectionFactory(new ActiveMQConnectionFactory(address + CALL_TIMEOUT));
        pool.setMaxConnections(4);
        return pool;
    }

    static Queue queue(String name) {
        return new ActiveMQQueue(name);
    }

    /** For a name with which the broker does not do it itself. */
    void createQueue(String name) throws Exception {
        try (ServerLocator locator = ActiveMQClient.createServerLocator(address());
                ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession()) {
            session.createAddress(SimpleString.of(name), RoutingType.ANYCAST, false);
            session.createQueue(QueueConfiguration.of(name).setRoutingType(RoutingType.ANYCAST));
        }
    }

    List<Message> messages(String queue) throws JMSException {
        return messages(address(), queue);
    }

    /** What the queue holds, in its order. A browser may end before the broker has sent it everything. */
    static List<Message> messages(String address, String queue) throws JMSException {
        AtomicReference<List<Message>> all = new AtomicReference<>();
        Patience.until("the browser shows what the queue holds", () -> {
            long held = held(address, queue);
            all.set(browse(address, queue));
            return all.get().size() == held;
        });
        return all.get();
    }

    private static long held(String address, String queue) {
        try (ServerLocator locator = ActiveMQClient.createServerLocator(address);
                ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession(
                        "outbox", "outbox", false, true, true, false, locator.getAckBatchSize())) {
            return session.queueQuery(SimpleString.of(queue)).getMessageCount();
        } catch (Exception e) {
            throw new IllegalStateException("the queue could not be asked", e);
        }
    }

    private static List<Message> browse(String address, String queue) {
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(address, "outbox", "outbox");
                JMSContext context = factory.createContext();
                QueueBrowser browser = context.createBrowser(queue(queue))) {
            @SuppressWarnings("unchecked")
            List<Message> all = Collections.list(browser.getEnumeration());
            return all;
        } catch (JMSException e) {
            throw new IllegalStateException("the queue could not be browsed", e);
        }
    }

    @Override
    public synchronized void close() {
        Children.forget(this);
        kill();
    }
}
