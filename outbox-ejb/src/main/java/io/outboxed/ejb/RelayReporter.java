package io.outboxed.ejb;

import io.outboxed.internal.capture.JpaUnit;
import io.outboxed.internal.config.OutboxConfigReader;
import io.outboxed.internal.health.RelayHealth;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.RelayStatus;
import io.outboxed.internal.relay.node.RelayNode;
import io.outboxed.internal.report.Environment;
import io.outboxed.internal.report.StartupReport;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.function.Supplier;

/** Tells the health checks how the relay is, and the log once that it is ready. Called by the supervisor's timer only. */
@ApplicationScoped
class RelayReporter {
    private static final int TICKS_BETWEEN_LOOKS = 5;

    @Inject
    RelayHealth health;

    @Inject
    OutboxDatabase database;

    @Inject
    ServerName server;

    @Inject
    JpaUnit unit;

    @Inject
    StartupReport report;

    private boolean reported;
    private int ticks;

    void waiting() {
        health.storeLooked(false);
    }

    void started(Optional<RelayNode> node) {
        health.started(node.map(each -> (Supplier<RelayStatus>) each::vitals));
        reportOnce(node);
    }

    void tick(Optional<RelayNode> node) {
        reportOnce(node);
        if (++ticks % TICKS_BETWEEN_LOOKS == 0 && health.wantsLook()) {
            health.storeLooked(database.answers());
        }
    }

    void stopped() {
        health.stopped();
    }

    /** A node has no name before it has joined. */
    private void reportOnce(Optional<RelayNode> node) {
        String owner = node.map(each -> each.vitals().owner()).orElse(null);
        if (!reported && (node.isEmpty() || owner != null)) {
            reported = true;
            try {
                report.log(new Environment(server.get(), unit.provider(), database.description(), dataSource(), owner));
            } catch (RuntimeException e) {
                OutboxLog.startupReportFailed(e);
            }
        }
    }

    private static String dataSource() {
        return OutboxConfigReader.dataSourceUrl().isPresent()
                ? "java:app/jdbc/outbox and connections of the relay's own, both to outbox.datasource.url"
                : "java:app/jdbc/outbox, defined by the server or the application; the relay takes its connections from it";
    }
}
