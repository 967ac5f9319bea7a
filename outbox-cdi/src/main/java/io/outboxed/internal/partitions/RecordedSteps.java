package io.outboxed.internal.partitions;

import io.outboxed.internal.database.BatchRecorder;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.OneTransaction;
import io.outboxed.internal.log.OutboxLog;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the steps of one run and records each. On MySQL and MariaDB a statement commits at once, so its record comes
 * first, and is corrected if the step fails.
 */
final class RecordedSteps {
    private final Jdbc jdbc;
    private final BatchRecorder<PartitionProgress> recorder;
    private final List<PartitionChange> made = new ArrayList<>();
    private final List<String> statements = new ArrayList<>();

    RecordedSteps(Jdbc jdbc, BatchRecorder<PartitionProgress> recorder) {
        this.jdbc = jdbc;
        this.recorder = recorder;
    }

    /** What was executed so far. */
    List<String> statements() {
        return List.copyOf(statements);
    }

    /** After an error nothing of the step is left, unless the connection broke. */
    void make(PartitionStep step) throws SQLException {
        for (String statement : step.statements()) {
            OutboxLog.partitionChange(statement);
        }
        if (commitsAtOnce()) {
            recordAndExecute(step);
        } else {
            executeAndRecord(step);
        }
        made.addAll(step.changes());
        statements.addAll(step.statements());
    }

    /** Call it after the last step. */
    void end() throws SQLException {
        if (commitsAtOnce() && !made.isEmpty()) {
            recorder.record(jdbc, PartitionProgress.made(made));
        }
    }

    private boolean commitsAtOnce() {
        return jdbc.dialect().isMySqlFamily();
    }

    private void recordAndExecute(PartitionStep step) throws SQLException {
        recorder.record(jdbc, PartitionProgress.beginning(made, step));
        try {
            execute(jdbc, step);
        } catch (SQLException e) {
            correct(e);
            throw e;
        }
    }

    private void correct(SQLException failure) {
        try {
            recorder.record(jdbc, PartitionProgress.made(made));
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    private void executeAndRecord(PartitionStep step) throws SQLException {
        OneTransaction.run(jdbc, each -> {
            execute(each, step);
            // last: a snapshot from before the step's lock would miss rows of the tail
            recorder.record(each, PartitionProgress.made(made, step));
            return null;
        });
    }

    private static void execute(Jdbc jdbc, PartitionStep step) throws SQLException {
        for (String statement : step.statements()) {
            jdbc.update(statement);
        }
    }
}
