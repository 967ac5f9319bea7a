package io.outboxed.internal.retention;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMariaDb;
import io.outboxed.servers.database.ServerOptions;
import org.junit.jupiter.api.Tag;

/** Only with -Pmariadb, to save time. */
@Tag("mariadb")
class MariaDbReplicaTest extends ReplicaContract {

    @Override
    RealDatabase start(ServerOptions options) {
        return RealMariaDb.start(options);
    }

    @Override
    Dialect dialect() {
        return Dialect.MARIADB;
    }

    @Override
    String createAccount() {
        return "CREATE USER replica@'%' IDENTIFIED BY 'replica'";
    }

    @Override
    String withoutTls() {
        return ", MASTER_SSL=0, MASTER_SSL_VERIFY_SERVER_CERT=0";
    }

    @Override
    String prepare() {
        return """
                CREATE DATABASE IF NOT EXISTS outbox;
                CREATE USER IF NOT EXISTS outbox@'%' IDENTIFIED BY 'outbox';
                GRANT ALL ON `outbox%`.* TO outbox@'%';
                """;
    }
}
