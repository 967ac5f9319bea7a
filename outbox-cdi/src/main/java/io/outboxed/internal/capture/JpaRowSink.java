package io.outboxed.internal.capture;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.util.List;

/**
 * Writes rows by JPA. The entity manager must be the container's own: on Payara a plain connection or an
 * application-managed one is not part of the transaction while it commits, and the rows would survive a rollback.
 */
@ApplicationScoped
class JpaRowSink implements RowSink {

    @PersistenceContext(unitName = "outbox")
    EntityManager unit;

    @Override
    public void write(List<OutboxRow> rows) {
        rows.forEach(unit::persist);
        // without this the rows are lost in silence on Payara and Liberty: the unit's own flush has run already
        unit.flush();
    }
}
