package io.outboxed.internal.partitions;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.BatchRecorder;
import io.outboxed.internal.database.Chunks;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.EpochMicros;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.log.OutboxLog;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Creates partitions of the history ahead of time and drops old ones, instead of deleting rows. One session at a time
 * does so, under a named lock of the database. Each change waits only briefly for its lock, so that writers behind it
 * do not wait longer either; what could not be changed is left to the next run. Thread-safe.
 *
 * <p>All methods need a connection in auto-commit mode, of an account that may change the table. Its settings are
 * restored. The database's clock decides; everything is UTC.
 */
public final class PartitionMaintainer {
    /** MySQL creates a file for each partition while the table is locked. */
    private static final int MOST_IN_ONE_SPLIT = 8;

    /** A process that is stopped between two statements holds the named lock, and amid a change the history. */
    private static final Duration IDLE_LIMIT = Duration.ofSeconds(10);

    private final Dialect dialect;
    private final PartitionSql sql;
    private final PartitionSettings settings;

    /** @throws OutboxException for H2, which has no partitions */
    public PartitionMaintainer(Dialect dialect, String prefix, PartitionSettings settings) {
        if (dialect == Dialect.H2) {
            throw new OutboxException(
                    "OUTBOX-0311",
                    "outbox.history.partition is " + settings.period() + ", but H2 has no partitions. Nothing was"
                            + " changed. Set it to none and use outbox.history.retention, which deletes old rows.");
        }
        this.dialect = dialect;
        this.sql = new PartitionSql(dialect, prefix);
        this.settings = settings;
    }

    private PartitionMaintainer(PartitionSql sql, PartitionSettings settings) {
        this.dialect = sql.dialect();
        this.sql = sql;
        this.settings = settings;
    }

    /**
     * PostgreSQL: the search path may find the history in another schema than the one that new tables get, and an
     * operator may have added columns.
     */
    private PartitionMaintainer ofTheHistoryAsItIs(Jdbc jdbc) throws SQLException {
        if (dialect != Dialect.POSTGRESQL) {
            return this;
        }
        PartitionSql found = jdbc.first(sql.otherSchema, row -> row.getString("found"), sql.tableInCatalog())
                .map(sql::in)
                .orElse(sql);
        return new PartitionMaintainer(
                jdbc.first(sql.copiedColumns, row -> row.getString("copied"), sql.tableInCatalog())
                        .map(found::copying)
                        .orElse(found),
                settings);
    }

    /** What {@link #run} would do now; changes nothing. */
    public PartitionDryRun dryRun(Connection connection) throws SQLException {
        Jdbc jdbc = jdbc(connection);
        try (Undo waitAsBefore = set(jdbc, sql.lockWait(), settings.lockWait());
                Undo limitAsBefore = limitStatements(jdbc);
                Undo conversionLimitAsBefore = liftConversionLimit(jdbc)) {
            return ofTheHistoryAsItIs(jdbc).dryRun(jdbc);
        }
    }

    private PartitionDryRun dryRun(Jdbc jdbc) throws SQLException {
        PartitionLayout layout = PartitionLayout.read(
                jdbc, sql, plan(now(jdbc), List.of(), Set.of()).added());
        PartitionPlan plan = plan(jdbc, layout);
        PartitionTail tail = tail(jdbc, layout, plan);
        boolean tailTooLong = tail.tooLong(settings).isPresent();
        List<String> statements = new ArrayList<>();
        Optional<OutboxException> refusal = Optional.empty();
        try {
            additions(layout, plan, tail, otherOwner(jdbc, plan)).forEach(step -> statements.addAll(step.statements()));
        } catch (OutboxException e) {
            refusal = Optional.of(e).filter(any -> !tailTooLong);
        }
        plan.dropped().forEach(old -> statements.addAll(sql.drop(old)));
        return new PartitionDryRun(plan, statements, tail.rows(), tailTooLong, refusal);
    }

    /**
     * Makes all changes that are due. If the connection breaks, the current change is undone or completed by the
     * database, and the next run continues. If a partition can't be added or dropped for another reason, all old ones that
     * can be are dropped before it throws.
     */
    public PartitionRun run(Connection connection) throws SQLException {
        return run(connection, (jdbc, progress) -> {});
    }

    /**
     * Makes all changes that are due, as without a recorder, and records them. On MySQL and MariaDB each is a
     * transaction of its own, so it is recorded before it is made, and again after it.
     *
     * @param recorder never called if nothing is due; if it throws, the change is not made
     */
    public PartitionRun run(Connection connection, BatchRecorder<PartitionProgress> recorder) throws SQLException {
        Jdbc jdbc = jdbc(connection);
        if (jdbc.number(sql.lock()).orElseThrow() != 1) {
            return new PartitionRun.Busy();
        }
        try (Undo unlock = () -> jdbc.number(sql.unlock());
                Undo idleAsBefore = set(jdbc, sql.idleLimit(), IDLE_LIMIT);
                Undo idleInChangeAsBefore = onPostgreSql(jdbc, PartitionSql.IDLE_IN_CHANGE_LIMIT, IDLE_LIMIT);
                Undo waitAsBefore = set(jdbc, sql.lockWait(), settings.lockWait());
                Undo limitAsBefore = limitStatements(jdbc);
                Undo conversionLimitAsBefore = liftConversionLimit(jdbc)) {
            return ofTheHistoryAsItIs(jdbc).maintain(jdbc, recorder);
        }
    }

    /** Restores what the session had. */
    private interface Undo extends AutoCloseable {
        @Override
        void close() throws SQLException;
    }

    /** MariaDB would undo a change at the limit that a relay's connection has, in each run again. */
    private Undo limitStatements(Jdbc jdbc) throws SQLException {
        return switch (dialect) {
            case POSTGRESQL -> set(jdbc, sql.statementLimit(), settings.statementLimit());
            case MARIADB -> set(jdbc, sql.statementLimit(), Duration.ZERO);
            case MYSQL, H2 -> () -> {};
        };
    }

    /** A conversion takes as long as it takes. On MariaDB, no statement has a limit anyway. */
    private Undo liftConversionLimit(Jdbc jdbc) throws SQLException {
        return settings.acceptsAnyTail() && dialect != Dialect.MARIADB
                ? set(jdbc, sql.conversionLimit(), Duration.ZERO)
                : () -> {};
    }

    private Undo onPostgreSql(Jdbc jdbc, String setting, Duration value) throws SQLException {
        return dialect == Dialect.POSTGRESQL ? set(jdbc, setting, value) : () -> {};
    }

    private Undo set(Jdbc jdbc, String setting, Duration value) throws SQLException {
        String before =
                jdbc.list(sql.valueOf(setting), row -> row.getString("found")).get(0);
        if (before == null) {
            return () -> {};
        }
        jdbc.update(sql.set(setting, sql.value(value)));
        return () -> jdbc.update(sql.set(setting, before));
    }

    private PartitionRun maintain(Jdbc jdbc, BatchRecorder<PartitionProgress> recorder) throws SQLException {
        PartitionLayout layout = PartitionLayout.read(jdbc, sql);
        PartitionPlan plan = plan(jdbc, layout);
        PartitionTail tail = tail(jdbc, layout, plan);
        Optional<String> tooLong = tail.tooLong(settings);
        Refusals refusals = new Refusals();
        List<PartitionStep> steps = new ArrayList<>();
        if (tooLong.isEmpty()) {
            try {
                steps.addAll(additions(layout, plan, tail, otherOwner(jdbc, plan)));
            } catch (OutboxException e) {
                refusals.add(e);
            }
        }
        plan.dropped().forEach(old -> steps.add(PartitionStep.drop(old, sql.drop(old))));
        RecordedSteps recorded = new RecordedSteps(jdbc, recorder);
        boolean adds = tooLong.isEmpty();
        for (PartitionStep step : steps) {
            if (step.adds() && !adds) {
                continue;
            }
            try {
                recorded.make(step);
            } catch (SQLException e) {
                if (takesTooLong(step, e)) {
                    tooLong = Optional.of("rows that take longer than "
                            + settings.statementLimit().toSeconds() + " s to move");
                } else if (SqlFailure.isLocked(e)) {
                    OutboxLog.partitionsPostponed(step.first(), settings.lockWait());
                    refusals.throwWith(e);
                    return new PartitionRun.Postponed(recorded.statements(), step.first());
                } else if (SqlFailure.isTransient(e)) {
                    refusals.throwWith(e);
                    throw e;
                } else {
                    refusals.add(e);
                }
                adds &= !step.adds();
            }
        }
        recorded.end();
        tooLong.ifPresent(why -> OutboxLog.partitionTailTooLong(sql.table(), layout.tail(), why));
        refusals.throwFirst();
        return tooLong.isPresent()
                ? new PartitionRun.TailTooLong(recorded.statements(), tail.rows())
                : new PartitionRun.Done(recorded.statements());
    }

    /**
     * What the database refuses in each run, such as one partition too many, or the drop of one on which a view depends.
     * It must not keep what is old for ever: the other drops are made before the first refusal is thrown.
     */
    private static final class Refusals {
        private Exception first;

        void add(Exception refusal) {
            if (first == null) {
                first = refusal;
            } else {
                first.addSuppressed(refusal);
            }
        }

        /** @param end of the run, which is thrown by the caller if nothing was refused before */
        void throwWith(SQLException end) throws SQLException {
            if (first != null) {
                first.addSuppressed(end);
                throwFirst();
            }
        }

        void throwFirst() throws SQLException {
            if (first instanceof SQLException refused) {
                throw refused;
            }
            if (first instanceof OutboxException refused) {
                throw refused;
            }
        }
    }

    private boolean takesTooLong(PartitionStep step, SQLException failure) {
        return dialect == Dialect.POSTGRESQL
                && step.adds()
                && !settings.statementLimit().isZero()
                && SqlFailure.isCancelled(failure);
    }

    /** Only a run by hand fills past gaps: the tail may have many rows of such a time. */
    private PartitionPlan plan(Jdbc jdbc, PartitionLayout layout) throws SQLException {
        Instant now = now(jdbc);
        PartitionPlan plan = plan(now, layout.partitions(), Set.of());
        Set<PartitionPlan.Gap> filled = new HashSet<>();
        if (settings.acceptsAnyTail()) {
            for (PartitionPlan.Gap gap : plan.pastGaps()) {
                if (jdbc.exists(sql.rowOfTail(layout.tail()), gap.from(), gap.to())) {
                    filled.add(gap);
                }
            }
        }
        return filled.isEmpty() ? plan : plan(now, layout.partitions(), filled);
    }

    private PartitionPlan plan(Instant now, List<HistoryPartition> existing, Set<PartitionPlan.Gap> filled) {
        return PartitionPlan.of(now, settings.period(), settings.lookAhead(), settings.retention(), existing, filled);
    }

    private Instant now(Jdbc jdbc) throws SQLException {
        return EpochMicros.toInstant(jdbc.number(sql.clock).orElseThrow());
    }

    private PartitionTail tail(Jdbc jdbc, PartitionLayout layout, PartitionPlan plan) throws SQLException {
        return plan.added().isEmpty()
                ? PartitionTail.EMPTY
                : jdbc.list(
                                sql.countTail(layout.tail()),
                                row -> new PartitionTail(row.getLong("found"), row.getLong("bytes")),
                                settings.maxTailRows() + 1)
                        .get(0);
    }

    private Optional<HistoryOwner> otherOwner(Jdbc jdbc, PartitionPlan plan) throws SQLException {
        return dialect == Dialect.POSTGRESQL && !plan.added().isEmpty()
                ? HistoryOwner.other(jdbc, sql)
                : Optional.empty();
    }

    private List<PartitionStep> additions(
            PartitionLayout layout, PartitionPlan plan, PartitionTail tail, Optional<HistoryOwner> owner) {
        List<HistoryPartition> added = plan.added();
        List<PartitionStep> steps = new ArrayList<>();
        if (dialect.isMySqlFamily()) {
            for (List<HistoryPartition> some : Chunks.of(added, MOST_IN_ONE_SPLIT)) {
                steps.add(PartitionStep.add(some, sql.splitTail(layout.tail(), some)));
            }
            return steps;
        }
        for (HistoryPartition each : added) {
            steps.add(PartitionStep.add(each, additionOf(each, layout, plan, tail, owner)));
        }
        return steps;
    }

    private List<String> additionOf(
            HistoryPartition added,
            PartitionLayout layout,
            PartitionPlan plan,
            PartitionTail tail,
            Optional<HistoryOwner> owner) {
        if (layout.partitions().isEmpty() && added.from() == HistoryPartition.BEGINNING && tail.rows() > 0) {
            return sql.replaceTail(layout.tail(), added, owner);
        }
        // what a conversion adds later may have begun by then
        return plan.mayReceiveRows(added) || settings.acceptsAnyTail()
                ? sql.attachCurrent(layout.tail(), added, owner)
                : sql.attach(layout.tail(), added, owner);
    }

    private Jdbc jdbc(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            throw new IllegalStateException("partitions are maintained on a connection in auto-commit mode");
        }
        return new Jdbc(connection, dialect);
    }
}
