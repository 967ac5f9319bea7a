package io.outboxed.internal.partitions;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.SqlFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Finds out whether an account may change the partitions of the history. Changes nothing. Not on H2. */
public final class PartitionRights {
    /** MySQL, MariaDB: the command is denied to the user for this table. */
    private static final int DENIED = 1142;

    private final Dialect dialect;
    private final PartitionSql sql;

    public PartitionRights(Dialect dialect, String prefix) {
        this.dialect = dialect;
        this.sql = new PartitionSql(dialect, prefix);
    }

    /**
     * What an account lacks.
     *
     * @param missing in words
     * @param isTested false if the server rejects a write before it looks at privileges
     */
    public record Found(List<String> missing, boolean isTested) {}

    public Found find(Connection connection) throws SQLException {
        Jdbc jdbc = new Jdbc(connection, dialect);
        return dialect == Dialect.POSTGRESQL ? new Found(ofRole(jdbc), true) : ofAccount(jdbc);
    }

    private Found ofAccount(Jdbc jdbc) throws SQLException {
        if (touch(() -> jdbc.exists(sql.touchByReading())) == Answer.DENIED) {
            return missing("SELECT on " + sql.table());
        }
        return switch (touch(() -> jdbc.update(sql.touchByReorganizing()))) {
            case READ_ONLY -> new Found(List.of(), false);
            case DENIED -> missing("ALTER on " + sql.table() + " (DROP can't be tested without it)");
            case GRANTED ->
                touch(() -> jdbc.update(sql.touchByDropping())) == Answer.DENIED
                        ? missing("DROP on " + sql.table())
                        : new Found(List.of(), true);
        };
    }

    private static Found missing(String right) {
        return new Found(List.of(right), true);
    }

    private enum Answer {
        GRANTED,
        DENIED,
        READ_ONLY
    }

    private interface Touch {
        void execute() throws SQLException;
    }

    private static Answer touch(Touch statement) throws SQLException {
        try {
            statement.execute();
            return Answer.GRANTED;
        } catch (SQLException e) {
            if (SqlFailure.isReadOnly(e)) {
                return Answer.READ_ONLY;
            }
            if (SqlFailure.isTransient(e)) {
                throw e;
            }
            return e.getErrorCode() == DENIED ? Answer.DENIED : Answer.GRANTED;
        }
    }

    private List<String> ofRole(Jdbc jdbc) throws SQLException {
        List<String> missing = new ArrayList<>();
        String table = sql.tableInCatalog();
        jdbc.list(sql.foreignOwners, row -> row.getString("owner"), table, table)
                .forEach(owner -> missing.add(
                        "membership in the role " + owner + ", which owns " + sql.table() + " or partitions of it"));
        jdbc.list(sql.lockedSchema, row -> row.getString("schema_name"), table)
                .forEach(schema -> missing.add("CREATE in the schema " + schema));
        HistoryOwner.find(jdbc, sql)
                .filter(owner -> !owner.mayBeGiven())
                .ifPresent(owner ->
                        missing.add("CREATE in the schema " + owner.schema() + " for the role " + owner.role()));
        return missing;
    }
}
