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

/**
 * Reports the relay's status to the health checks, and logs once that it is ready. Called only by the supervisor, one
 * tick at a time.
 */
@ApplicationScoped
public class RelayReporter {
    /** The timer ticks once a second. */
    private static final long TICKS_BETWEEN_CHECKS = RelayHealth.CHECK_INTERVAL.toSeconds();

    @Inject
    RelayHealth health;

    @Inject
    OutboxDatabase database;

    @Inject
    JpaUnit unit;

    @Inject
    StartupReport report;

    private String server;
    private String executor;
    private boolean reported;
    private int ticks;

    /**
     * @param onServer its name and version
     * @param handlersRunOn which executor or threads; "none" if the relay is disabled
     */
    public void started(Optional<RelayNode> node, String onServer, String handlersRunOn) {
        server = onServer;
        executor = handlersRunOn;
        health.started(node.map(each -> (Supplier<RelayStatus>) each::status));
        reportOnce(node);
    }

    public void tick(Optional<RelayNode> node) {
        reportOnce(node);
        check();
    }

    /** Once a second, of a database that has answered before. */
    public void check() {
        if (++ticks % TICKS_BETWEEN_CHECKS == 0 && health.wantsCheck()) {
            health.storeAsked();
            if (database.answers()) {
                health.storeAnswered();
            }
        }
    }

    public void stopped() {
        health.stopped();
    }

    /** A node has no name before it has joined. */
    private void reportOnce(Optional<RelayNode> node) {
        String owner = node.map(each -> each.status().owner()).orElse(null);
        if (!reported && (node.isEmpty() || owner != null)) {
            reported = true;
            try {
                report.log(new Environment(
                        server,
                        unit.provider(),
                        database.description(),
                        dataSource(),
                        executor,
                        owner,
                        database.registry()));
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
