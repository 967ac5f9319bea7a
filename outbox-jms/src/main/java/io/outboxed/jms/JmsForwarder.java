package io.outboxed.jms;

import io.outboxed.AnyEvent;
import io.outboxed.HandlerGroup;
import io.outboxed.HandlerName;
import io.outboxed.OutboxMessage;
import io.outboxed.PermanentFailureException;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.handlers.Forwarder;
import io.outboxed.internal.store.cluster.Lease;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * The handler that forwards: a handler of any type, outside a transaction. It has succeeded when the broker has stored
 * the message, and the relay begins the next event of an aggregate only then. It sends as soon as it is begun; it is a
 * {@link Forwarder} because the relay calls such a handler less and less while its receiver is down.
 */
@ApplicationScoped
@HandlerGroup(JmsForwarder.NAME)
class JmsForwarder implements Forwarder {
    static final String NAME = "jms";

    private static final Callable<Void> ENDED = () -> null;

    private final JmsSettings settings;
    private final Sender sender;
    private final boolean relays;

    @Inject
    JmsForwarder(OutboxConfig config) {
        this(JmsSettingsReader.read(ConfigProvider.getConfig()), config.relay().enabled());
    }

    JmsForwarder(JmsSettings settings, boolean relays) {
        this.settings = settings;
        this.sender = new Sender(settings);
        this.relays = relays;
    }

    /** Needed by the container's proxy. */
    JmsForwarder() {
        this.settings = null;
        this.sender = null;
        this.relays = false;
    }

    void check(@Observes @Initialized(ApplicationScoped.class) Object start) {
        if (relays) {
            sender.checkAtStart();
        }
    }

    @HandlerName(NAME)
    @Transactional(Transactional.TxType.NOT_SUPPORTED)
    void forward(@Observes @AnyEvent OutboxMessage message) {
        send(message, () -> true);
    }

    @Override
    public String handlerName() {
        return NAME;
    }

    /** Otherwise one worker would take many events and send one after the other, while other workers are idle. */
    @Override
    public int mostTogether() {
        return 1;
    }

    @Override
    public Callable<Void> begin(OutboxMessage message, Lease lease, Predicate<Lease> isValid) {
        send(message, () -> isValid.test(lease));
        return ENDED;
    }

    void send(OutboxMessage message, BooleanSupplier isOwner) {
        Optional<String> destination = settings.destinationOf(message.type());
        if (destination.isEmpty() && !settings.skipUnrouted()) {
            throw new PermanentFailureException("OUTBOX-0821 there is no route for " + message
                    + ". Nothing was sent. Add " + JmsKeys.ROUTE_PREFIX + "\"" + message.type()
                    + "\"=<JNDI name> and replay the dead letter, or set " + JmsKeys.UNROUTED + "=" + JmsKeys.SKIP
                    + " if events without a route are not meant for JMS");
        }
        destination.ifPresent(name -> sender.send(message, name, isOwner));
    }
}
