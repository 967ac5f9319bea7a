package io.outboxed.internal.schema;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.servers.database.RealMySql;
import java.sql.Connection;
import java.sql.DriverManager;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings of MySQL's driver with which text changes on its way, without an error. */
class MySqlTextTest {
    private static final String PREFIX = "outbox_";
    private static final String UTF8 = "E4B8ADF09F8DB5";

    @AutoClose
    private static final RealMySql SERVER = RealMySql.start();

    @BeforeAll
    static void createTables() {
        new Schema(with(""), Dialect.MYSQL, PREFIX).create();
    }

    @ParameterizedTest
    @CsvSource({
        "characterEncoding=latin1, 3F3F",
        "characterEncoding=latin1&useServerPrepStmts=true, 3F3F",
        "characterEncoding=GBK, E4B8AD3F",
        "characterSetResults=latin1, 3F3F"
    })
    void a_connection_that_changes_text_is_refused(String setting, String arrived) {
        isRefused(with(setting), arrived);
    }

    /** As pools do when they open a connection. The driver does not know what the server takes its bytes for. */
    @ParameterizedTest
    @CsvSource({"SET NAMES latin1, C3A4C2B8C2ADC3B0C5B8C28DC2B5", "SET NAMES utf8, 3F"})
    void a_connection_whose_session_has_another_character_set_is_refused(String statement, String arrived) {
        isRefused(
                () -> {
                    Connection connection = with("").open();
                    new Jdbc(connection, Dialect.MYSQL).update(statement);
                    return connection;
                },
                arrived);
    }

    private static void isRefused(ConnectionSource source, String arrived) {
        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(() -> new DatabaseCheck(source, Dialect.MYSQL, PREFIX).check())
                .withMessageStartingWith("OUTBOX-0308 ")
                .withMessageContaining("1 problem:")
                .withMessageContaining(UTF8)
                .withMessageContaining(arrived)
                .withMessageContaining("characterEncoding");
        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(() -> probe(source))
                .withMessageStartingWith("OUTBOX-0318 the data source ")
                .withMessageContaining(UTF8)
                .withMessageContaining(arrived)
                .withMessageContaining("characterEncoding");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "useServerPrepStmts=true",
                "characterEncoding=UTF-8",
                "connectionCollation=utf8mb4_general_ci",
                "characterEncoding=GB18030"
            })
    void a_connection_that_sends_all_of_unicode_is_accepted(String setting) {
        assertThatCode(() -> new DatabaseCheck(with(setting), Dialect.MYSQL, PREFIX).check())
                .doesNotThrowAnyException();
        assertThatCode(() -> probe(with(setting))).doesNotThrowAnyException();
    }

    private static void probe(ConnectionSource pool) {
        new JtaProbe(with(""), Dialect.MYSQL, PREFIX).check("the data source", write -> {
            try (Connection connection = pool.open()) {
                connection.setAutoCommit(false);
                write.on(connection);
                connection.rollback();
            }
        });
    }

    private static ConnectionSource with(String setting) {
        return () -> DriverManager.getConnection(SERVER.url() + "&" + setting, SERVER.user(), SERVER.password());
    }
}
