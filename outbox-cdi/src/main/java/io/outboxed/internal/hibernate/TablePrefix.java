package io.outboxed.internal.hibernate;

import io.outboxed.internal.config.OutboxConfigReader;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.naming.PhysicalNamingStrategyStandardImpl;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;

/** Puts {@code outbox.table-prefix} before the table names of the unit {@code outbox}, which names this class. */
public class TablePrefix extends PhysicalNamingStrategyStandardImpl {
    private static final long serialVersionUID = 1L;

    private final String prefix = OutboxConfigReader.tablePrefix();

    @Override
    public Identifier toPhysicalTableName(Identifier name, JdbcEnvironment environment) {
        return Identifier.toIdentifier(prefix + name.getText());
    }
}
