package io.outboxed.internal.operations.check;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.partitions.PartitionRights;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Tells whether the account may change the partitions of the history, as a node and as the command line. */
final class PartitionCheck {
    private static final String SUBJECT = "right to change partitions";
    private static final List<OperatorTask.Right> AUDIT = List.of(
            new OperatorTask.Right(Privilege.INSERT, "audit", "target"),
            new OperatorTask.Right(Privilege.UPDATE, "audit", "target"));

    private final ConnectionSource source;
    private final Dialect dialect;
    private final CheckSql sql;

    PartitionCheck(ConnectionSource source, Dialect dialect, CheckSql sql) {
        this.source = source;
        this.dialect = dialect;
        this.sql = sql;
    }

    CheckResult diagnose() {
        if (dialect == Dialect.H2) {
            return CheckResult.ok("partitions", "this database has no partitions");
        }
        try (Connection connection = source.open()) {
            return CheckResult.ok(SUBJECT, finding(connection));
        } catch (SQLException e) {
            throw SqlFailure.toStoreException("testing the right to change partitions", e);
        }
    }

    private String finding(Connection connection) throws SQLException {
        PartitionRights.Found history = new PartitionRights(dialect, sql.prefix()).find(connection);
        if (!history.missing().isEmpty()) {
            return "not granted: " + String.join("; ", history.missing());
        }
        PrivilegeCheck privileges = new PrivilegeCheck(source, sql);
        PrivilegeCheck.Rights audit = privileges.rights(connection, AUDIT);
        if (!history.isTested() || !audit.isTested()) {
            return PrivilegeCheck.NOT_TESTED;
        }
        return audit.areGranted()
                ? "granted"
                : "granted for a node; \"outbox partitions --apply\" also needs " + privileges.words(audit.missing());
    }
}
