package io.outboxed.internal.capture;

import io.outboxed.internal.database.Dialect;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

class H2RowTest extends RowContract {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    @Override
    DataSource source() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(url);
        return source;
    }

    @Override
    public Dialect dialect() {
        return Dialect.H2;
    }
}
