package io.outboxed.internal.handlers;

import com.arjuna.ats.jta.cdi.TransactionExtension;
import io.outboxed.OutboxException;
import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.admin.OutboxAdminBean;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.deadletters.DeadLettersBean;
import io.outboxed.internal.handlers.invocation.ApplicationCallback;
import io.outboxed.internal.handlers.invocation.CurrentMessage;
import io.outboxed.internal.handlers.invocation.DeliveryAttemptInterceptor;
import io.outboxed.internal.handlers.invocation.Messages;
import io.outboxed.internal.handlers.invocation.ObserverInvocation;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.metrics.RecordingBackend;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.MessageBody;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.tracing.Propagators;
import io.outboxed.internal.tracing.TracingChoice;
import io.smallrye.config.inject.ConfigExtension;
import io.smallrye.faulttolerance.FaultToleranceExtension;
import io.smallrye.faulttolerance.metrics.MetricsIntegration;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.spi.DefinitionException;
import jakarta.enterprise.inject.spi.DeploymentException;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;

/** These beans, deployed with Weld, SmallRye Fault Tolerance, Narayana and H2. */
public final class Deployment implements AutoCloseable {
    private final WeldContainer container;

    private Deployment(WeldContainer container) {
        this.container = container;
    }

    public static Deployment of(Class<?>... beans) {
        return configured(Defaults.class, beans);
    }

    /** @param config produces it */
    static Deployment configured(Class<?> config, Class<?>... beans) {
        Deployment deployment = new Deployment(new Weld()
                .disableDiscovery()
                .extensions(
                        new HandlersExtension(),
                        new FaultToleranceExtension(MetricsIntegration.NOOP),
                        new ConfigExtension(),
                        new TransactionExtension())
                .addBeanClasses(
                        CdiHandlerInvoker.class,
                        HandledClasses.class,
                        FailureVerdicts.class,
                        Forwarders.class,
                        ApplicationNotifier.class,
                        FailureHandlers.class,
                        DeadLetterObservers.class,
                        ObserverInvocation.class,
                        ApplicationCallback.class,
                        Messages.class,
                        CurrentMessage.class,
                        DeliveryAttemptInterceptor.class)
                .addBeanClasses(
                        NarayanaTransactions.class,
                        Database.class,
                        TableAcks.class,
                        LineCodec.class,
                        Figures.class,
                        config)
                .addBeanClasses(Propagators.class, TracingChoice.class, DeadLettersBean.class, OutboxAdminBean.class)
                .addBeanClasses(beans)
                .initialize());
        deployment.database().update("CREATE TABLE message (seq BIGINT PRIMARY KEY, version INT)");
        deployment.database().update("CREATE TABLE effect (what VARCHAR(100), transaction VARCHAR(100))");
        return deployment;
    }

    /** The message with which a deployment of these beans is refused, line by line. */
    static List<String> refusal(Class<?>... beans) {
        try (Deployment deployed = of(beans)) {
            throw new AssertionError("deployed: " + deployed.deliveries().all());
        } catch (DeploymentException | DefinitionException refused) {
            return Stream.iterate((Throwable) refused, Objects::nonNull, Throwable::getCause)
                    .filter(OutboxException.class::isInstance)
                    .findFirst()
                    .map(Throwable::getMessage)
                    .orElseThrow(() -> refused)
                    .lines()
                    .toList();
        }
    }

    static final class Defaults {
        @Produces
        OutboxConfig config() {
            return OutboxConfig.DEFAULTS;
        }
    }

    static final class Figures {
        @Produces
        @Singleton
        RecordingBackend figures() {
            return new RecordingBackend();
        }

        @Produces
        OutboxMeters meters(RecordingBackend figures) {
            return new OutboxMeters(figures, "shop", true);
        }
    }

    public <T> T get(Class<T> type) {
        return container.select(type).get();
    }

    void fire(Object event) {
        container.event().fire(event);
    }

    HandlerInvoker deliveries() {
        return get(HandlerInvoker.class);
    }

    /** On the caller's thread. */
    Notifications notifications() {
        Notifications notifications = get(Notifications.class);
        notifications.start(Runnable::run);
        return notifications;
    }

    Database database() {
        return get(Database.class);
    }

    /** As a relay on any node leaves it. */
    UUID deadLetter(String handler, String aggregateId) {
        get(OutboxOperations.class);
        UUID id = UUID.randomUUID();
        database()
                .update(
                        "INSERT INTO outbox_dead (message_id, handler, handler_group, seq, shard, lane, aggregate_type,"
                                + " aggregate_id, type, payload_size, registry_version, attempts, error, died_at,"
                                + " blocking) VALUES (?, ?, 'Shop', 1, 1, 1, 'order', ?, 'order.placed', 0, 0, 3, 'down', 7, 0)",
                        id,
                        handler,
                        aggregateId);
        return id;
    }

    TableAcks ack() {
        return get(TableAcks.class);
    }

    /** Stores a message and delivers it to one handler as its first try. */
    Outcome deliver(String type, String handler, String text) {
        return deliver(type, handler, text, "{\"trace\":\"t-1\"}");
    }

    Outcome deliver(String type, String handler, String text, String headers) {
        database().update("MERGE INTO message VALUES (1, 0)");
        return deliveries().deliver(delivery(type, handler, text, headers));
    }

    static Delivery delivery(String type, String handler, String text) {
        return delivery(type, handler, text, "{\"trace\":\"t-1\"}");
    }

    private static Delivery delivery(String type, String handler, String text, String headers) {
        UUID id = new UUID(7, 1);
        MessageHead head = new MessageHead(
                1, id, 3, 9, type, "order", MessageState.READY, 0, 1, text.length(), 0, false, null, null);
        MessageBody body = new MessageBody(1, id, "order", "o-1", Instant.EPOCH, Duration.ZERO, headers, text, null);
        return new Delivery(head, body, handler, 1, AckMode.DELETE_MESSAGE);
    }

    List<String> effects() {
        return database().committed("SELECT what FROM effect ORDER BY what");
    }

    List<String> messages() {
        return database().committed("SELECT version FROM message");
    }

    @Override
    public void close() {
        container.close();
    }
}
