package io.outboxed.internal.operations.check;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.SqlFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Finds out what the account may do, by statements that change no row. */
final class PrivilegeCheck {
    /** MySQL: there is a value for a column that the database computes. It says so after a missing privilege. */
    private static final int COMPUTED = 3105;

    static final String NOT_TESTED = "not tested: the server or the session rejects writes";

    private final ConnectionSource source;
    private final CheckSql sql;

    PrivilegeCheck(ConnectionSource source, CheckSql sql) {
        this.source = source;
        this.sql = sql;
    }

    private enum Answer {
        GRANTED,
        MISSING,
        /** A read-only server rejects a write before it looks at privileges. */
        READ_ONLY
    }

    /**
     * The rights of the account for one task.
     *
     * @param isTested whether the server has told about all of them
     */
    record Rights(List<OperatorTask.Right> missing, boolean isTested) {
        boolean areGranted() {
            return isTested && missing.isEmpty();
        }
    }

    Map<OperatorTask, Rights> rights() {
        Map<OperatorTask, Rights> rights = new EnumMap<>(OperatorTask.class);
        try (Connection connection = source.open()) {
            for (OperatorTask task : OperatorTask.values()) {
                rights.put(task, rights(connection, task.rights()));
            }
        } catch (SQLException e) {
            throw SqlFailure.toStoreException("testing the account's rights", e);
        }
        return rights;
    }

    Rights rights(Connection connection, List<OperatorTask.Right> asked) throws SQLException {
        List<OperatorTask.Right> missing = new ArrayList<>();
        boolean isTested = true;
        for (OperatorTask.Right right : asked) {
            switch (ask(connection, right)) {
                case MISSING -> missing.add(right);
                case READ_ONLY -> isTested = false;
                case GRANTED -> {}
            }
        }
        return new Rights(missing, isTested);
    }

    private Answer ask(Connection connection, OperatorTask.Right right) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql.touch(right.privilege(), right.table(), right.column()));
            return Answer.GRANTED;
        } catch (SQLException e) {
            if (SqlFailure.isReadOnly(e)) {
                return Answer.READ_ONLY;
            }
            if (SqlFailure.isTransient(e)) {
                throw e;
            }
            return e.getErrorCode() == COMPUTED ? Answer.GRANTED : Answer.MISSING;
        }
    }

    List<CheckResult> diagnose(Map<OperatorTask, Rights> rights) {
        List<CheckResult> results = new ArrayList<>();
        rights.forEach((task, found) -> {
            String subject = "right to " + task.words();
            if (found.areGranted()) {
                results.add(CheckResult.ok(subject, "granted"));
            } else if (found.missing().isEmpty()) {
                results.add(CheckResult.ok(subject, NOT_TESTED));
            } else if (task == OperatorTask.READ) {
                results.add(CheckResult.problem(
                        subject, "missing: " + words(found.missing()), "grant it, see server-config/databases"));
            } else {
                results.add(CheckResult.ok(subject, "not granted: " + words(found.missing())));
            }
        });
        return results;
    }

    String words(List<OperatorTask.Right> rights) {
        return rights.stream()
                .collect(Collectors.groupingBy(
                        OperatorTask.Right::table,
                        TreeMap::new,
                        Collectors.mapping(right -> right.privilege().name(), Collectors.joining(", "))))
                .entrySet()
                .stream()
                .map(entry -> entry.getValue() + " on " + sql.prefix() + entry.getKey())
                .collect(Collectors.joining("; "));
    }
}
