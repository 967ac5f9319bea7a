package io.outboxed.kafka;

import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealPostgres;
import io.outboxed.servers.database.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

class PostgreSqlCutOverTest extends CutOverContract {

    @Override
    RealDatabase database() {
        return RealPostgres.start(ServerOptions.temporary().with("-c").with("wal_level=logical"));
    }

    @Override
    String files() {
        return "postgresql";
    }

    @Override
    void allowDebezium(RealDatabase database) throws SQLException, IOException {
        try (Connection connection = DriverManager.getConnection(database.url(), "postgres", database.password());
                Statement statement = connection.createStatement()) {
            statement.execute(Files.readString(ConnectWorker.file("postgresql.sql")));
        }
    }
}
