package io.outboxed.internal.database;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/**
 * Describes the database for logs, without secrets.
 *
 * @param product with its version
 * @param driver with its version
 * @param place host and name, without user, password and parameters
 */
public record DatabaseDescription(String product, String driver, String place) {

    public static DatabaseDescription of(ConnectionSource source) {
        try (Connection connection = source.connect()) {
            DatabaseMetaData database = connection.getMetaData();
            return new DatabaseDescription(
                    database.getDatabaseProductName() + " " + database.getDatabaseProductVersion(),
                    database.getDriverName() + " " + database.getDriverVersion(),
                    place(database.getURL()));
        } catch (SQLException e) {
            throw SqlFailure.toStoreException("reading the database version", e);
        }
    }

    /** Keeps only what is certainly not secret; for a URL of unknown form, only the kind of database. */
    static String place(String url) {
        String[] parts = url == null ? new String[0] : url.split(":", 3);
        if (parts.length < 3) {
            return "an unknown location";
        }
        String rest = parts[2].replaceFirst("[?;].*", "");
        boolean plain = rest.matches("(//[\\w.,:\\[\\]-]+(/[\\w.-]*)?|[\\w.~:/\\\\-]+)");
        return parts[1] + " " + (plain ? rest.replaceFirst("^//", "") : "***");
    }
}
