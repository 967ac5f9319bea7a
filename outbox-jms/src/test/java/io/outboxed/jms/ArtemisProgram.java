package io.outboxed.jms;

import java.nio.file.Path;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerMessagePlugin;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.core.transaction.Transaction;

/** A broker that keeps its messages. It creates queues when they are used, unless their names begin as {@link #NOT_CREATED}. */
final class ArtemisProgram {
    static final String READY = "the broker is ready";
    static final String NOT_CREATED = "not-created.";
    /** A message with this property is refused. */
    static final String REFUSED = "refused";

    private ArtemisProgram() {}

    /** @param arguments port, directory */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[1]);
        Configuration settings = new ConfigurationImpl()
                .setPersistenceEnabled(true)
                .setJournalType(JournalType.NIO)
                .setBindingsDirectory(directory.resolve("bindings").toString())
                .setJournalDirectory(directory.resolve("journal").toString())
                .setLargeMessagesDirectory(directory.resolve("large").toString())
                .setPagingDirectory(directory.resolve("paging").toString())
                .setMaxDiskUsage(-1)
                .setSecurityEnabled(false)
                .addAddressSetting(
                        NOT_CREATED + "#",
                        new AddressSettings().setAutoCreateQueues(false).setAutoCreateAddresses(false))
                .addAcceptorConfiguration("tcp", "tcp://127.0.0.1:" + arguments[0] + "?protocols=CORE");
        settings.registerBrokerPlugin(new RefusesSome());
        EmbeddedActiveMQ broker = new EmbeddedActiveMQ().setConfiguration(settings);
        broker.start();
        System.out.println(READY);
        Thread.currentThread().join();
    }

    private static final class RefusesSome implements ActiveMQServerMessagePlugin {
        @Override
        public void beforeSend(
                ServerSession session, Transaction tx, Message message, boolean direct, boolean noAutoCreateQueue)
                throws ActiveMQException {
            if (message.containsProperty(REFUSED)) {
                throw new ActiveMQException("not this one");
            }
        }
    }
}
