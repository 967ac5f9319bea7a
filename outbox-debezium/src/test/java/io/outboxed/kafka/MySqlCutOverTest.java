package io.outboxed.kafka;

import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class MySqlCutOverTest extends CutOverContract {

    @Override
    RealDatabase database() throws IOException {
        return RealMySql.start(ServerOptions.temporary()
                .with("--log-bin=binlog")
                .with("--server-id=1")
                .with("--init-file=" + oneStatementPerLine(ConnectWorker.file("mysql.sql"))));
    }

    /** What MySQL expects of an init file. */
    private static Path oneStatementPerLine(Path file) throws IOException {
        String statements = Files.readString(file).replaceAll("(?m)^--.*\n", "");
        return Files.writeString(Files.createTempFile("debezium", ".sql"), statements);
    }

    @Override
    String files() {
        return "mysql";
    }

    @Override
    void allowDebezium(RealDatabase database) {
        // at the start of the server
    }
}
