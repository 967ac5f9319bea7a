package io.outboxed.servers;

import java.nio.file.Path;

/**
 * {@code jdbc/main}, defined by the server with the file for it in {@code server-config}. The server finds the database in
 * its environment: {@code JDBC_URL}, {@code JDBC_USER}, {@code JDBC_PASSWORD}.
 *
 * @param database {@code h2}, {@code mysql} or {@code postgresql}
 * @param driver its JDBC driver's jar; a server that brings one takes its own
 */
public record ServerDataSource(String database, Path driver) {

    /** Without a version, as the files for the servers call it. */
    String driverFile() {
        return switch (database) {
            case "h2" -> "h2.jar";
            case "mysql" -> "mysql-connector-j.jar";
            case "postgresql" -> "postgresql.jar";
            default ->
                throw new ServerFailedException(
                        "the server's data source is for '" + database + "': choose h2, mysql or postgresql");
        };
    }
}
