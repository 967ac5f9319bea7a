package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.schema.Schema;
import io.outboxed.servers.database.RealPostgres;
import io.outboxed.servers.database.ServerOptions;
import java.sql.DriverManager;
import org.junit.jupiter.api.Test;

/** A server that says "committed" before the disk has it. */
class PostgreSqlFsyncTest {

    @Test
    void a_server_that_does_not_wait_for_its_disk_is_a_problem() {
        try (RealPostgres server = RealPostgres.start(ServerOptions.temporary())) {
            ConnectionSource source = () -> DriverManager.getConnection(server.url(), server.user(), server.password());
            new Schema(source, Dialect.POSTGRESQL, "outbox_").create();
            ScriptedTerminal terminal = new ScriptedTerminal()
                    .with("OUTBOX_URL", server.url())
                    .with("OUTBOX_USER", server.user())
                    .with("OUTBOX_PASSWORD", server.password());

            assertThat(Main.run(terminal, "check")).as(terminal.errors()).isEqualTo(ExitCode.FOUND);
            assertThat(terminal.output()).contains("problem  fsync: is off: committed events can be lost");
        }
    }
}
