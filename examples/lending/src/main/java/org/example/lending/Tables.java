package org.example.lending;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Creates this application's tables if they are missing. */
@Singleton
@Startup
public class Tables {

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    @PostConstruct
    void create() {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists loan"
                    + " (book varchar(100) primary key, reader varchar(100) not null, version int not null)");
            statement.execute("create table if not exists reminder"
                    + " (id char(36) primary key, book varchar(100) not null, reader varchar(100) not null)");
        } catch (SQLException e) {
            throw new IllegalStateException("the tables of the lending library could not be created", e);
        }
    }
}
