package io.outboxed.internal.schema;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Counted;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.OneTransaction;
import io.outboxed.internal.database.RelayConnection;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.store.sql.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** Creates or verifies the tables. Several nodes may do so at the same time. */
public final class Schema {
    private static final int MAX_ATTEMPTS = 5;
    private static final int MAX_CATALOG_ATTEMPTS = 50;
    private static final int H2_GENERAL_ERROR = 50000;
    private static final long BETWEEN_READS = Duration.ofMillis(5).toNanos();
    /** Longer than another node takes, and than {@link #ALONE} waits for it. */
    private static final Duration DDL_LIMIT = Duration.ofMinutes(1);
    /** All of it ends with the transaction. */
    private static final List<String> ALONE = List.of(
            "SET LOCAL lock_timeout = '15s'",
            "SELECT pg_advisory_xact_lock(7305804402132341103)",
            "SET LOCAL lock_timeout = '2s'");

    private final ConnectionSource source;
    private final Dialect dialect;
    private final DdlScript script;
    private final SchemaCheck check;

    public Schema(ConnectionSource source, Dialect dialect, String prefix) {
        this.source = source;
        this.dialect = dialect;
        this.script = DdlScript.of(dialect, prefix);
        this.check = new SchemaCheck(script, new Sql(dialect, prefix));
    }

    /**
     * Creates the tables and rows that are missing. If anything else differs, all is rejected and nothing changed. What
     * is there is left alone: even CREATE INDEX IF NOT EXISTS waits for the table's writers, holds up all that come after
     * it, and needs privileges that a node may lack.
     */
    public void create() {
        for (int attempt = 1; ; attempt++) {
            List<SchemaCheck.Finding> findings = settledFindings();
            if (findings.isEmpty()) {
                return;
            }
            if (!findings.stream().allMatch(this::isCreated)) {
                throw mismatch(findings);
            }
            try {
                run(creating(findings));
                verify();
                return;
            } catch (SQLException e) {
                // another node is creating the same objects: IF NOT EXISTS is not atomic on all databases
                if (attempt == MAX_ATTEMPTS || SqlFailure.isLocked(e) || SqlFailure.isCancelled(e)) {
                    throw failed("create", e);
                }
            }
        }
    }

    private List<SchemaCheck.Finding> settledFindings() {
        List<SchemaCheck.Finding> findings = findings();
        for (int read = 1; read < MAX_CATALOG_ATTEMPTS && mayBeHalfCreated(findings); read++) {
            LockSupport.parkNanos(BETWEEN_READS);
            findings = findings();
        }
        return findings;
    }

    /** H2 shows a table that another node creates before it has its keys. */
    private boolean mayBeHalfCreated(List<SchemaCheck.Finding> findings) {
        return dialect == Dialect.H2
                && findings.stream().noneMatch(SchemaCheck.Finding::otherLayout)
                && !findings.stream().allMatch(this::isCreated);
    }

    /**
     * A table that is there may have many rows and writers, which an index would hold up. H2 commits each statement, so
     * a node may have died before those of its indexes.
     */
    private boolean isCreated(SchemaCheck.Finding finding) {
        return !finding.otherLayout()
                && script.statements().containsAll(finding.ddl())
                && (dialect == Dialect.H2 || !finding.ddl().get(0).startsWith("CREATE INDEX"));
    }

    /** Of the schema file, in its order. Rows of tables that are there may be missing too. */
    private List<String> creating(List<SchemaCheck.Finding> findings) {
        Set<String> missing =
                findings.stream().flatMap(finding -> finding.ddl().stream()).collect(Collectors.toSet());
        return script.statements().stream()
                .filter(statement -> missing.contains(statement) || statement.startsWith("INSERT"))
                .toList();
    }

    /** Rejects a schema that does not match, with all differences and the statements that fix them. */
    public void verify() {
        List<SchemaCheck.Finding> findings = findings();
        if (!findings.isEmpty()) {
            throw mismatch(findings);
        }
    }

    private static OutboxException mismatch(List<SchemaCheck.Finding> findings) {
        List<String> repairs = findings.stream()
                .flatMap(finding -> finding.ddl().stream())
                .distinct()
                .toList();
        return new OutboxException(
                "OUTBOX-0304",
                "The outbox tables do not match the schema, " + Counted.of(findings.size(), "problem") + ":"
                        + lines(
                                findings.stream()
                                        .map(SchemaCheck.Finding::problem)
                                        .toList(),
                                "")
                        + "\nNothing was changed by this check."
                        + (repairs.isEmpty()
                                ? ""
                                : " To fix this, review and run (outbox.schema=create creates missing tables, but never"
                                        + " changes one):" + lines(repairs, ";")));
    }

    private static String lines(List<String> items, String end) {
        return items.stream().map(item -> "\n  " + item + end).collect(Collectors.joining());
    }

    /** What to run before the statements of {@link #findings}: writers of a table wait behind one that waits for it. */
    public List<String> limits() {
        return switch (dialect) {
            case MYSQL, MARIADB -> List.of("SET SESSION lock_wait_timeout = 5");
            case POSTGRESQL -> List.of("SET lock_timeout = '5s'");
            case H2 -> List.of();
        };
    }

    public List<SchemaCheck.Finding> findings() {
        for (int attempt = 1; ; attempt++) {
            try (RelayConnection relay = RelayConnection.open(source, dialect)) {
                return check.findings(new Jdbc(relay.connection(), dialect));
            } catch (SQLException e) {
                // H2 2.4 reads its catalog from live lists: a table that another node creates at the same time breaks
                // the read
                boolean catalogChanged = dialect == Dialect.H2 && e.getErrorCode() == H2_GENERAL_ERROR;
                if (!catalogChanged || attempt == MAX_CATALOG_ATTEMPTS) {
                    throw failed("read", e);
                }
            }
        }
    }

    private void run(List<String> statements) throws SQLException {
        try (RelayConnection relay = RelayConnection.open(source, dialect, DDL_LIMIT)) {
            OneTransaction.run(new Jdbc(relay.connection(), dialect), jdbc -> {
                if (dialect == Dialect.POSTGRESQL) {
                    jdbc.execute(ALONE);
                }
                jdbc.execute(statements);
                return null;
            });
        }
    }

    /** An outage or an overload is transient; a statement that the database rejects will be rejected again. */
    private static RuntimeException failed(String verb, SQLException e) {
        if (SqlFailure.isTransient(e)) {
            return SqlFailure.toStoreException("to " + verb + " the tables", e);
        }
        return new OutboxException(
                "OUTBOX-0305",
                "Outboxed could not " + verb + " its tables: " + e.getMessage() + " (vendor code " + e.getErrorCode()
                        + ", SQLState " + e.getSQLState() + "). Is the database up, and may this user "
                        + ("create".equals(verb) ? "create tables and indexes" : "read the catalog")
                        + "? A database administrator can run the file from the jar instead, with"
                        + " outbox.schema=verify.",
                e);
    }
}
