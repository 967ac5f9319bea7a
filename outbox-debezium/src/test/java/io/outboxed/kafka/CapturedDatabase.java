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
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A database whose log Debezium may read.
 *
 * @param files the name of its files in {@code server-config/debezium}
 * @param format in which the relay sends what Debezium sends with these files
 * @param administrator who may give rights to others
 */
record CapturedDatabase(RealDatabase server, String files, WireFormat format, String administrator, String password) {
    private static final String ADMINISTRATOR = "administrator";
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final String TOPICS = "events.{aggregateType}";
    private static final String POSTGRESQL = "postgresql";
    private static final String MYSQL = "mysql";

    static CapturedDatabase postgreSql() {
        RealPostgres server =
                RealPostgres.start(ServerOptions.temporary().with("-c").with("wal_level=logical"));
        return new CapturedDatabase(
                server, POSTGRESQL, WireFormat.DEBEZIUM, "postgres", server.administratorPassword());
    }

    static CapturedDatabase mySql() throws IOException {
        String password = UUID.randomUUID().toString();
        Path administrator = Files.writeString(
                Files.createTempFile("administrator", ".sql"),
                "CREATE USER %s@'%%' IDENTIFIED BY '%s';%nGRANT ALL ON *.* TO %s@'%%' WITH GRANT OPTION;%n"
                        .formatted(ADMINISTRATOR, password, ADMINISTRATOR));
        RealDatabase server = RealMySql.start(ServerOptions.temporary()
                .with("--log-bin=binlog")
                .with("--server-id=1")
                .with("--init-file=" + administrator));
        return new CapturedDatabase(server, MYSQL, WireFormat.DEBEZIUM_HEX, ADMINISTRATOR, password);
    }

    /** As the administrator, once the tables are there. */
    void allowDebezium() throws SQLException, IOException {
        String statements = Files.readString(ConnectWorker.file(files + ".sql")).replaceAll("(?m)^--.*\n", "");
        try (Connection connection = DriverManager.getConnection(server.url(), administrator, password);
                Statement statement = connection.createStatement()) {
            for (String each : statements.split(";\\s*")) {
                statement.execute(each);
            }
        }
    }

    /** Sends to {@code events.<aggregate type>}, as Debezium does. */
    ForwardingNode startRelay(StoredEvents stored, RealKafka kafka) {
        return new ForwardingNode(
                stored::open, ForwardingNode.settings(kafka.address(), TOPICS, format, false, Map.of()), LEASE);
    }

    /** As {@link #startRelay}, in a process that dies after this number of confirmations. @return its exit code */
    int runRelay(StoredEvents stored, RealKafka kafka, int survives) throws IOException {
        return Forwarders.run(stored, kafka, TOPICS, survives, List.of("format=" + format));
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
