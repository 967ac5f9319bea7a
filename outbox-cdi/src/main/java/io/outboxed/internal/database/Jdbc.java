package io.outboxed.internal.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** Runs statements on one connection. */
public final class Jdbc {
    private final Connection connection;
    private final Dialect dialect;

    public Jdbc(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    public interface RowMapper<T> {
        T map(ResultSet row) throws SQLException;
    }

    public Connection connection() {
        return connection;
    }

    public Dialect dialect() {
        return dialect;
    }

    public int update(String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, parameters);
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw located(sql, e);
        }
    }

    /** Each as it is, without parameters. */
    public void execute(List<String> statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String text : statements) {
                statement.execute(text);
            }
        }
    }

    /** @return the sum of the update counts */
    public int batch(String sql, List<Object[]> rows) throws SQLException {
        if (rows.isEmpty()) {
            return 0;
        }
        if (rows.size() == 1) {
            // before a batch MySQL's driver asks the server whether the session is read-only: one more round trip
            return update(sql, rows.get(0));
        }
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (Object[] row : rows) {
                bind(statement, row);
                statement.addBatch();
            }
            return Arrays.stream(statement.executeBatch())
                    .map(count -> count == Statement.SUCCESS_NO_INFO ? 1 : count)
                    .sum();
        } catch (SQLException e) {
            throw located(sql, e);
        }
    }

    /** @return whether each of these changed exactly one row; false also if the driver does not tell */
    public boolean eachChangesOneRow(String sql, List<Object[]> rows) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (Object[] row : rows) {
                bind(statement, row);
                statement.addBatch();
            }
            return Arrays.stream(statement.executeBatch()).allMatch(count -> count == 1);
        } catch (SQLException e) {
            throw located(sql, e);
        }
    }

    public <T> List<T> list(String sql, RowMapper<T> mapper, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, parameters);
            try (ResultSet rows = statement.executeQuery()) {
                List<T> result = new ArrayList<>();
                while (rows.next()) {
                    result.add(mapper.map(rows));
                }
                return result;
            }
        } catch (SQLException e) {
            throw located(sql, e);
        }
    }

    public <T> Optional<T> first(String sql, RowMapper<T> mapper, Object... parameters) throws SQLException {
        return list(sql, mapper, parameters).stream().findFirst();
    }

    /** The column found of the first row; empty if there is none. */
    public OptionalLong number(String sql, Object... parameters) throws SQLException {
        return list(sql, row -> row.getLong("found"), parameters).stream()
                .mapToLong(Long::longValue)
                .findFirst();
    }

    public boolean exists(String sql, Object... parameters) throws SQLException {
        return !list(sql, row -> true, parameters).isEmpty();
    }

    public UUID uuid(ResultSet row, String column) throws SQLException {
        return dialect.uuid(row, column);
    }

    private void bind(PreparedStatement statement, Object... parameters) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            Object value = parameters[i];
            if (value == null) {
                statement.setNull(i + 1, Types.VARCHAR);
            } else if (value instanceof UUID id) {
                statement.setObject(i + 1, dialect.uuidParameter(id));
            } else {
                statement.setObject(i + 1, value);
            }
        }
    }

    /** Adds verb and table to the message, but never a value. */
    private static SQLException located(String sql, SQLException e) {
        if (e instanceof LocatedSqlException) {
            return e;
        }
        return new LocatedSqlException(SqlText.describe(sql), e);
    }

    /** Keeps SQLState and vendor code of the driver's exception. */
    public static final class LocatedSqlException extends SQLException {
        private static final long serialVersionUID = 1L;
        private final String what;

        LocatedSqlException(String what, SQLException cause) {
            super(what, cause.getSQLState(), cause.getErrorCode(), cause);
            this.what = what;
        }

        public String what() {
            return what;
        }
    }
}
