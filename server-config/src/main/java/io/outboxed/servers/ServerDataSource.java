package io.outboxed.servers;

import io.outboxed.servers.process.ServerFailedException;
import java.nio.file.Path;

/**
 * {@code jdbc/main}, defined in the server with the file for it in {@code server-config}. The server finds the database
 * in its environment: {@code JDBC_URL}, {@code JDBC_USER}, {@code JDBC_PASSWORD}.
 *
 * @param database {@code h2}, {@code mysql}, {@code mariadb} or {@code postgresql}
 * @param driver the jar of its JDBC driver; ignored by a server that contains one
 */
public record ServerDataSource(String database, Path driver) {

    /** The name without a version, as used in the files for the servers. */
    String driverFile() {
        return switch (database) {
            case "h2" -> "h2.jar";
            case "mysql" -> "mysql-connector-j.jar";
            case "mariadb" -> "mariadb-java-client.jar";
            case "postgresql" -> "postgresql.jar";
            default ->
                throw new ServerFailedException(
                        "the server's data source is for '" + database + "': choose h2, mysql, mariadb or postgresql");
        };
    }
}
