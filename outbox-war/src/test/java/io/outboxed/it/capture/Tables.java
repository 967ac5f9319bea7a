package io.outboxed.it.capture;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Access to the tables that bypasses every persistence unit. */
@ApplicationScoped
public class Tables {

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    public Connection connect() throws SQLException {
        return dataSource.getConnection();
    }
}
