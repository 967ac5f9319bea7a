package io.outboxed.internal.operations;

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
    private final ConnectionSource source;
    private final OperationsSql sql;

    PrivilegeCheck(ConnectionSource source, OperationsSql sql) {
        this.source = source;
        this.sql = sql;
    }

    /** The rights that each task lacks. */
    Map<OperatorTask, List<OperatorTask.Right>> missing() {
        Map<OperatorTask, List<OperatorTask.Right>> missing = new EnumMap<>(OperatorTask.class);
        try (Connection connection = source.open()) {
            for (OperatorTask task : OperatorTask.values()) {
                List<OperatorTask.Right> lacking = new ArrayList<>();
                for (OperatorTask.Right right : task.rights()) {
                    if (!has(connection, right)) {
                        lacking.add(right);
                    }
                }
                missing.put(task, lacking);
            }
        } catch (SQLException e) {
            throw SqlFailure.toStoreException("testing the account's rights", e);
        }
        return missing;
    }

    private boolean has(Connection connection, OperatorTask.Right right) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql.touch(right.privilege(), right.table(), right.column()));
            return true;
        } catch (SQLException e) {
            if (SqlFailure.isTransient(e)) {
                throw e;
            }
            return false;
        }
    }

    List<CheckResult> diagnose(Map<OperatorTask, List<OperatorTask.Right>> missing) {
        List<CheckResult> results = new ArrayList<>();
        missing.forEach((task, lacking) -> {
            String subject = "right to " + task.words();
            if (lacking.isEmpty()) {
                results.add(CheckResult.ok(subject, "granted"));
            } else if (task == OperatorTask.READ) {
                results.add(CheckResult.problem(
                        subject, "missing: " + words(lacking), "grant it, see server-config/databases"));
            } else {
                results.add(CheckResult.ok(subject, "not granted: " + words(lacking)));
            }
        });
        return results;
    }

    private String words(List<OperatorTask.Right> rights) {
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
