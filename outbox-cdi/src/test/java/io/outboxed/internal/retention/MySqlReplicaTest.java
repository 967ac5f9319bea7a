package io.outboxed.internal.retention;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.ServerOptions;
import org.junit.jupiter.api.Tag;

/** Only with -Pmysql, to save time. */
@Tag("mysql")
class MySqlReplicaTest extends ReplicaContract {

    @Override
    RealDatabase start(ServerOptions options) {
        return RealMySql.start(options);
    }

    @Override
    Dialect dialect() {
        return Dialect.MYSQL;
    }

    @Override
    String createAccount() {
        return "CREATE USER replica@'%' IDENTIFIED WITH mysql_native_password BY 'replica'";
    }
}
