package io.outboxed.jms;

import io.outboxed.OutboxException;
import io.outboxed.OutboxMessage;
import io.outboxed.PermanentFailureException;
import io.outboxed.internal.handlers.LeaseExpiredException;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.ResourceAllocationRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/**
 * Sends a message and returns when the broker has stored it, on a connection of its own: a server's connection factory
 * has a pool. Thread-safe.
 */
final class Sender {
    /** JMS has a name for what is wrong, and it is not the message. */
    private static final Set<Class<? extends JMSRuntimeException>> OF_THE_DESTINATION = Set.of(
            InvalidDestinationRuntimeException.class,
            JMSSecurityRuntimeException.class,
            ResourceAllocationRuntimeException.class);

    private final JmsSettings settings;
    private final Outages outages;

    Sender(JmsSettings settings) {
        this(settings, System::nanoTime);
    }

    Sender(JmsSettings settings, LongSupplier nanoClock) {
        this.settings = settings;
        this.outages = new Outages(nanoClock);
    }

    /** For the start: problems are logged, all at once, and checked again with the first event. */
    Set<String> checkAtStart() {
        List<BrokerNotReadyException> failures = new ArrayList<>();
        note(failures, () -> ask(connectionFactory()));
        settings.destinations().forEach(name -> note(failures, () -> destination(name)));
        outages.seen(failures);
        return outages.problems();
    }

    private static void note(List<BrokerNotReadyException> failures, Runnable check) {
        try {
            check.run();
        } catch (BrokerNotReadyException e) {
            failures.add(e);
        }
    }

    /**
     * @param destination its JNDI name
     * @param isOwner whether another node can't have the event yet, to be asked before it is sent
     * @throws BrokerNotReadyException if it is not certain that the message was stored
     * @throws LeaseExpiredException if it was not sent
     * @throws PermanentFailureException if JMS can't express the message
     */
    void send(OutboxMessage message, String destination, BooleanSupplier isOwner) {
        outages.failIfRecent(settings.connectionFactory(), destination);
        try {
            deliver(message, destination, connectionFactory(), destination(destination), isOwner);
        } catch (BrokerNotReadyException e) {
            outages.seen(List.of(e));
            throw e;
        }
        outages.over(settings.connectionFactory(), destination);
        outages.namesToLookUp().forEach(this::lookUpAgain);
    }

    /** Perhaps no event for it comes for days, and meanwhile it would be listed although it is there. */
    private void lookUpAgain(String name) {
        try {
            if (name.equals(settings.connectionFactory())) {
                connectionFactory();
            } else {
                destination(name);
            }
            outages.over(name);
        } catch (BrokerNotReadyException e) {
            outages.seen(List.of(e));
        }
    }

    /**
     * Connections of a pool may be some that the broker has closed. What also fails on one that has just answered, while
     * the broker goes on answering, is the message.
     */
    private void deliver(
            OutboxMessage message,
            String name,
            ConnectionFactory factory,
            Destination destination,
            BooleanSupplier isOwner) {
        Optional<FailedSend> failure = on(factory, context -> {
            // a pool, or the network, may have made it wait
            failUnlessOwner(
                    isOwner,
                    settings.connectionFactory() + " gave a connection for " + name
                            + " only after the node's lease had ended");
            return put(message, context, destination);
        });
        if (failure.isPresent()) {
            RuntimeException failed = failure.get().cause();
            failUnlessAnswer(failure.get(), message, name);
            failure = on(factory, context -> {
                ask(context);
                failUnlessOwner(
                        isOwner,
                        name + " refused it (" + failed
                                + "), and the node's lease ended before it could be sent again");
                return put(message, context, destination);
            });
        }
        if (failure.isPresent()) {
            failUnlessAnswer(failure.get(), message, name);
            // on any connection: some brokers close the one on which they refuse
            ask(factory);
            RuntimeException refusal = failure.get().cause();
            throw new OutboxException(
                    "OUTBOX-0824",
                    "the broker answers, but refuses an event for " + name + " (" + refusal + "). This attempt counts",
                    refusal);
        }
    }

    /** If the lease has ended, the aggregate's later events may have been sent. */
    private static void failUnlessOwner(BooleanSupplier isOwner, String problem) {
        if (!isOwner.getAsBoolean()) {
            throw new LeaseExpiredException(problem);
        }
    }

    private void failUnlessAnswer(FailedSend failed, OutboxMessage message, String name) {
        if (failed.isInterrupted()) {
            // not before the connection is closed, which has to wait for the broker too
            Thread.currentThread().interrupt();
        }
        RuntimeException cause = failed.cause();
        if (cause instanceof MessageFormatRuntimeException) {
            throw new PermanentFailureException(
                    "OUTBOX-0823 JMS can't express " + message + " (" + cause + "). It was not sent", cause);
        }
        if (OF_THE_DESTINATION.stream().anyMatch(type -> type.isInstance(cause))) {
            throw new BrokerNotReadyException(name, "can't be sent to", cause);
        }
        if (failed.isLate() || Thread.currentThread().isInterrupted()) {
            throw new BrokerNotReadyException(
                    name, "did not confirm an event, which may be there anyway", ": " + cause);
        }
    }

    /** Empty if the broker has stored the message. */
    private Optional<FailedSend> put(OutboxMessage message, JMSContext context, Destination destination) {
        long begun = System.nanoTime();
        try {
            JMSProducer producer = context.createProducer()
                    .setDeliveryMode(DeliveryMode.PERSISTENT)
                    .setJMSType(message.type())
                    .setJMSCorrelationID(message.id().toString());
            MessageProperties.of(message, settings.source())
                    .forEach((name, value) -> producer.setProperty(name, value));
            if (message.text() != null) {
                producer.send(destination, message.text());
            } else {
                producer.send(destination, message.bytes());
            }
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(FailedSend.of(e, System.nanoTime() - begun));
        }
    }

    private void ask(ConnectionFactory factory) {
        on(factory, context -> {
            ask(context);
            return true;
        });
    }

    /** Asks the broker for something that has nothing to do with an event. That a right is missing is an answer. */
    private void ask(JMSContext context) {
        try {
            context.createTemporaryQueue().delete();
        } catch (JMSSecurityRuntimeException | JMSSecurityException e) {
            return;
        } catch (JMSException | RuntimeException | LinkageError e) {
            throw notReady("gives connections on which the broker does not answer", e);
        }
    }

    /** What the broker has answered stays true if the connection can't be closed then. */
    private <T> T on(ConnectionFactory factory, Function<JMSContext, T> work) {
        JMSContext context = open(factory);
        try {
            return work.apply(context);
        } finally {
            close(context);
        }
    }

    private static void close(JMSContext context) {
        try {
            context.close();
        } catch (RuntimeException | LinkageError e) {
            if (FailedSend.isInterrupt(e)) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Outside a transaction a server allows only sessions that acknowledge by themselves. */
    private JMSContext open(ConnectionFactory factory) {
        try {
            return factory.createContext(JMSContext.AUTO_ACKNOWLEDGE);
        } catch (RuntimeException | LinkageError e) {
            throw notReady("gives no connection", e);
        }
    }

    private BrokerNotReadyException notReady(String problem, Throwable cause) {
        return new BrokerNotReadyException(settings.connectionFactory(), problem, cause);
    }

    private ConnectionFactory connectionFactory() {
        return find(settings.connectionFactory(), ConnectionFactory.class, JmsKeys.CONNECTION_FACTORY);
    }

    private Destination destination(String name) {
        return find(name, Destination.class, JmsKeys.ROUTE_PREFIX + "*");
    }

    /** Each time: what an administrator defines or replaces is found without a restart. */
    private static <T> T find(String name, Class<T> type, String key) {
        Object found;
        try {
            found = InitialContext.doLookup(name);
        } catch (NamingException e) {
            throw new NotInJndiException(name, "is not in JNDI. Define it in the server, or change " + key, ": " + e);
        } catch (RuntimeException | LinkageError e) {
            // the name exists, but the server can't create what it refers to, for example because a class is missing
            throw new NotInJndiException(name, "can't be looked up", e);
        }
        if (!type.isInstance(found)) {
            throw new NotInJndiException(
                    name,
                    "is " + (found == null ? "null" : "a " + found.getClass().getName()) + ", not a " + type.getName()
                            + ". Change " + key,
                    "");
        }
        return type.cast(found);
    }
}
