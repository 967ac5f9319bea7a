package io.outboxed.kafka;

import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.RealPostgres;
import io.outboxed.servers.database.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;

/**
 * A database whose log Debezium may read.
 *
 * @param files the name of its files in {@code server-config/debezium}
 * @param format in which the relay sends what Debezium sends with these files
 */
record CapturedDatabase(RealDatabase server, String files, WireFormat format) {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final String POSTGRESQL = "postgresql";
    private static final String MYSQL = "mysql";

    static CapturedDatabase postgreSql() {
        return new CapturedDatabase(
                RealPostgres.start(ServerOptions.temporary().with("-c").with("wal_level=logical")),
                POSTGRESQL,
                WireFormat.DEBEZIUM);
    }

    static CapturedDatabase mySql() throws IOException {
        return new CapturedDatabase(
                RealMySql.start(ServerOptions.temporary()
                        .with("--log-bin=binlog")
                        .with("--server-id=1")
                        .with("--init-file=" + oneStatementPerLine(ConnectWorker.file("mysql.sql")))),
                MYSQL,
                WireFormat.DEBEZIUM_HEX);
    }

    /** What MySQL expects of an init file. */
    private static Path oneStatementPerLine(Path file) throws IOException {
        String statements = Files.readString(file).replaceAll("(?m)^--.*\n", "");
        return Files.writeString(Files.createTempFile("debezium", ".sql"), statements);
    }

    /** Once the tables are there; MySQL has done it at its start. */
    void allowDebezium() throws SQLException, IOException {
        if (server instanceof RealPostgres postgres) {
            try (Connection connection =
                            DriverManager.getConnection(postgres.url(), "postgres", postgres.administratorPassword());
                    Statement statement = connection.createStatement()) {
                statement.execute(Files.readString(ConnectWorker.file("postgresql.sql")));
            }
        }
    }

    /** Sends to {@code events.<aggregate type>}, as Debezium does. */
    ForwardingNode startRelay(StoredEvents stored, RealKafka kafka) {
        KafkaSettings settings = ForwardingNode.settings(kafka.address(), "", Map.of());
        return new ForwardingNode(
                stored::open,
                new KafkaSettings(
                        new Routes(Map.of("*", "events.{aggregateType}")),
                        format,
                        settings.source(),
                        settings.skipUnrouted(),
                        settings.strict(),
                        settings.producer()),
                LEASE);
    }

    ConnectWorker startDebezium(RealKafka kafka) throws IOException {
        return ConnectWorker.start(
                files,
                kafka,
                Map.of(
                        "DATABASE_HOST", "127.0.0.1",
                        "DATABASE_PORT", String.valueOf(server.port()),
                        "DATABASE_NAME", "outbox",
                        "DATABASE_USER", "debezium",
                        "DATABASE_PASSWORD", "change-me",
                        "KAFKA_BOOTSTRAP_SERVERS", kafka.address()));
    }
}
