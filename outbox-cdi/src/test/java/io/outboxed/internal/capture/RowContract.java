package io.outboxed.internal.capture;

import io.outboxed.internal.schema.Schema;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** The persistence unit, as the jar ships it but without JTA, against the tables that the schema scripts make. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RowContract implements StoredRowContract, RowBatchContract, RowSessionContract, RowMappingContract {
    private EntityManagerFactory unit;

    abstract DataSource source() throws SQLException;

    @BeforeAll
    final void open() throws SQLException {
        new Schema(this::connection, dialect(), "outbox_").create();
        unit = newUnit();
    }

    @AfterAll
    final void close() {
        if (unit != null) {
            unit.close();
        }
    }

    @BeforeEach
    final void empty() throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("DELETE FROM outbox_message");
            statement.executeUpdate("DELETE FROM outbox_inbox");
        }
    }

    @Override
    public final Connection connection() throws SQLException {
        return source().getConnection();
    }

    @Override
    public final EntityManagerFactory unit() {
        return unit;
    }

    @Override
    public final EntityManagerFactory newUnit() throws SQLException {
        return Persistence.createEntityManagerFactory(
                "outbox",
                Map.of(
                        "jakarta.persistence.transactionType", "RESOURCE_LOCAL",
                        "jakarta.persistence.nonJtaDataSource", source(),
                        "hibernate.generate_statistics", "true",
                        "hibernate.session.events.log", "false"));
    }
}
