package io.outboxed.internal.capture;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealMySql;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;

class MySqlRowTest extends RowContract {
    private final RealMySql server = RealMySql.start();

    @Override
    DataSource source() {
        MysqlDataSource source = new MysqlDataSource();
        source.setUrl(server.url());
        source.setUser(server.user());
        source.setPassword(server.password());
        return source;
    }

    @Override
    Dialect dialect() {
        return Dialect.MYSQL;
    }

    @AfterAll
    void stop() {
        server.close();
    }
}
