package io.outboxed.internal.schema;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Databases of PostgreSQL that can't store every text. */
class PostgreSqlTextTest {
    private static final String PREFIX = "outbox_";

    @AutoClose
    private static final RealPostgres SERVER = RealPostgres.start();

    @ParameterizedTest
    @ValueSource(strings = {"SQL_ASCII", "LATIN1"})
    void a_database_of_another_encoding_is_refused(String encoding) throws SQLException {
        String name = encoding.toLowerCase(Locale.ROOT);
        try (Connection admin = in("outbox").open();
                Statement statement = admin.createStatement()) {
            statement.execute("CREATE DATABASE " + name + " ENCODING '" + encoding + "' TEMPLATE template0");
        }
        new Schema(in(name), Dialect.POSTGRESQL, PREFIX).create();

        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(() -> new DatabaseCheck(in(name), Dialect.POSTGRESQL, PREFIX).check())
                .withMessageStartingWith("OUTBOX-0308 ")
                .withMessageContaining("1 problem:")
                .withMessageContaining("server_encoding is " + encoding)
                .withMessageContaining("ENCODING 'UTF8'");
    }

    @Test
    void one_of_utf_8_is_accepted() {
        new Schema(in("outbox"), Dialect.POSTGRESQL, PREFIX).create();

        assertThatCode(() -> new DatabaseCheck(in("outbox"), Dialect.POSTGRESQL, PREFIX).check())
                .doesNotThrowAnyException();
    }

    private static ConnectionSource in(String database) {
        return () -> DriverManager.getConnection(
                SERVER.url().replace("/outbox?", "/" + database + "?"), "postgres", SERVER.administratorPassword());
    }
}
