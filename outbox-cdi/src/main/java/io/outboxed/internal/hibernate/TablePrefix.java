package io.outboxed.internal.hibernate;

import io.outboxed.internal.config.OutboxConfigReader;
import io.outboxed.internal.database.QualifiedName;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.naming.PhysicalNamingStrategyStandardImpl;
import org.hibernate.dialect.MySQLDialect;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;

/**
 * Puts {@code outbox.table-prefix} before the table names of the unit {@code outbox}, which names this class. Its
 * schema is what Hibernate calls a catalog on MySQL and MariaDB.
 */
public class TablePrefix extends PhysicalNamingStrategyStandardImpl {
    private static final long serialVersionUID = 1L;

    private final String prefix = OutboxConfigReader.tablePrefix();

    @Override
    public Identifier toPhysicalTableName(Identifier name, JdbcEnvironment environment) {
        return Identifier.toIdentifier(QualifiedName.of(prefix).name() + name.getText());
    }

    @Override
    public Identifier toPhysicalCatalogName(Identifier name, JdbcEnvironment environment) {
        return isCatalog(environment) ? schema(name) : name;
    }

    @Override
    public Identifier toPhysicalSchemaName(Identifier name, JdbcEnvironment environment) {
        return isCatalog(environment) ? name : schema(name);
    }

    private Identifier schema(Identifier standard) {
        String schema = QualifiedName.of(prefix).schema();
        return schema == null ? standard : Identifier.toIdentifier(schema);
    }

    /** MariaDB's dialect is a kind of MySQL's. */
    private static boolean isCatalog(JdbcEnvironment environment) {
        return environment.getDialect() instanceof MySQLDialect;
    }
}
