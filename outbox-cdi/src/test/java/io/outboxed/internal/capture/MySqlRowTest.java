package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.datasource.ConfiguredDataSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.hibernate.OutboxRow;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMySql;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** With the driver properties of the data source that applications use. */
class MySqlRowTest extends RowContract implements OneRoundTripContract {
    private final RealMySql server = RealMySql.start();

    MySqlRowTest() {
        System.setProperty("rows.url", server.url());
        System.setProperty("rows.user", server.user());
        System.setProperty("rows.password", server.password());
    }

    @Test
    void the_rows_of_a_transaction_are_one_statement_of_the_server() {
        CaptureFixture door = new CaptureFixture();
        List<OutboxRow> rows =
                IntStream.range(0, 10).mapToObj(i -> door.stored(new Tick(i))).toList();
        try (EntityManager manager = manager()) {
            manager.getTransaction().begin();
            long before = statements(manager);
            store(manager).write(rows);
            long inserted = statements(manager) - before - 1;
            manager.getTransaction().rollback();

            assertThat(inserted).isEqualTo(1);
        }
    }

    /** This question included. */
    private static long statements(EntityManager manager) {
        return manager.unwrap(Session.class).doReturningWork(MySqlRowTest::statements);
    }

    private static long statements(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW SESSION STATUS LIKE 'Questions'")) {
            row.next();
            return row.getLong("Value");
        }
    }

    @Override
    DataSource source() {
        ConfiguredDataSource source = new ConfiguredDataSource();
        source.setPrefix("rows");
        return source;
    }

    @Override
    public Dialect dialect() {
        return Dialect.MYSQL;
    }

    @Override
    public RealDatabase server() {
        return server;
    }

    @AfterAll
    void stop() {
        List.of("rows.url", "rows.user", "rows.password").forEach(System::clearProperty);
        server.close();
    }
}
