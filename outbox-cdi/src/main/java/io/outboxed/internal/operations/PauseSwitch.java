package io.outboxed.internal.operations;

import io.outboxed.admin.Attribution;
import io.outboxed.admin.Pause;
import io.outboxed.admin.PauseTarget;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.EpochMicros;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.cluster.HandlerRegistrations;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Pauses and resumes. Each relay reads what is paused once a second. */
public final class PauseSwitch {
    private final Connections connections;
    private final OperationsSql sql;
    private final HandlerRegistrations registrations;
    private final AuditTrail audit;

    PauseSwitch(Connections connections, OperationsSql sql, HandlerRegistrations registrations, AuditTrail audit) {
        this.connections = connections;
        this.sql = sql;
        this.registrations = registrations;
        this.audit = audit;
    }

    public List<Pause> inForce() {
        return registrations.pauses();
    }

    /**
     * @return false if exactly this is paused already
     * @throws IllegalArgumentException if nothing can have the target's name
     */
    public boolean pause(PauseTarget target, Attribution by) {
        target.requireValidName();
        return connections.transaction(jdbc -> {
            // two operators at once: the second waits here
            jdbc.exists(sql.lockRegistry);
            Optional<String> stored = stored(jdbc, target);
            if (stored.filter(target.name()::equals).isPresent()) {
                return false;
            }
            if (stored.isPresent()) {
                // it covers nothing, and its key is in the way
                jdbc.update(sql.deletePause, number(target), target.name());
                audit.add(jdbc, by, "resume", new PauseTarget(target.kind(), stored.get()).toString(), null);
            }
            jdbc.update(sql.addPause, number(target), target.name(), by.who(), by.why());
            audit.add(jdbc, by, "pause", target.toString(), null);
            return true;
        });
    }

    /**
     * @return false if exactly this is not paused
     * @throws IllegalArgumentException if it is not, and nothing can have the target's name
     */
    public boolean resume(PauseTarget target, Attribution by) {
        return connections.transaction(jdbc -> {
            if (stored(jdbc, target).filter(target.name()::equals).isEmpty()) {
                target.requireValidName();
                return false;
            }
            boolean resumed = jdbc.update(sql.deletePause, number(target), target.name()) == 1;
            if (resumed) {
                audit.add(jdbc, by, "resume", target.toString(), null);
            }
            return resumed;
        });
    }

    /** @return false if it has ended, whether or not the same is paused again */
    public boolean resume(Pause seen, Attribution by) {
        PauseTarget target = seen.target();
        long since = EpochMicros.of(seen.since());
        return connections.transaction(jdbc -> {
            boolean resumed = stored(jdbc, target).filter(target.name()::equals).isPresent()
                    && jdbc.update(sql.deletePauseOf, number(target), target.name(), since) == 1;
            if (resumed) {
                audit.add(jdbc, by, "resume", target.toString(), null);
            }
            return resumed;
        });
    }

    /** MySQL and MariaDB find a name although this one has more or fewer spaces at its end. */
    private Optional<String> stored(Jdbc jdbc, PauseTarget target) throws SQLException {
        return jdbc.first(sql.pauseOf, row -> row.getString("name"), number(target), target.name());
    }

    private static int number(PauseTarget target) {
        return target.kind().ordinal();
    }
}
