package io.outboxed.internal.boot;

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
public class RelayReporter {
    private static final int TICKS_BETWEEN_LOOKS = 5;

    @Inject
    RelayHealth health;

    @Inject
    OutboxDatabase database;

    @Inject
    JpaUnit unit;

    @Inject
    StartupReport report;

    private boolean reported;
    private int ticks;

    public void waiting() {
        health.storeLooked(false);
    }

    /** @param server its name and version */
    public void started(Optional<RelayNode> node, String server) {
        health.started(node.map(each -> (Supplier<RelayStatus>) each::vitals));
        reportOnce(node, server);
    }

    /** @param server its name and version */
    public void tick(Optional<RelayNode> node, String server) {
        reportOnce(node, server);
        if (++ticks % TICKS_BETWEEN_LOOKS == 0 && health.wantsLook()) {
            health.storeLooked(database.answers());
        }
    }

    public void stopped() {
        health.stopped();
    }

    /** A node has no name before it has joined. */
    private void reportOnce(Optional<RelayNode> node, String server) {
        String owner = node.map(each -> each.vitals().owner()).orElse(null);
        if (!reported && (node.isEmpty() || owner != null)) {
            reported = true;
            try {
                report.log(new Environment(server, unit.provider(), database.description(), dataSource(), owner));
            } catch (RuntimeException e) {
                OutboxLog.startupReportFailed(e);
            }
        }
    }

    private static String dataSource() {
        return OutboxConfigReader.dataSourceUrl().isPresent()
                ? "java:app/jdbc/outbox and the relay's own connections, both to outbox.datasource.url"
                : "java:app/jdbc/outbox, defined by the server or the application; the relay takes its connections"
                        + " from it";
    }
}
