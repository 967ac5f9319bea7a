package io.outboxed.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.database.WatchedConnection;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class LockProbeTest {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    /** Of each connection when it was closed: whether it commits by itself. */
    private final List<Boolean> modes = new ArrayList<>();

    @Test
    void a_database_that_ignores_lock_clauses_is_refused() {
        probe(sql -> sql.replaceAll(" FOR UPDATE.*", ""), "could be locked by another one");
    }

    /** After a restart of the database, the pool has opened the other one again. */
    @Test
    void a_session_that_is_lost_meanwhile_says_nothing_about_the_database() {
        new Schema(source(sql -> sql), Dialect.H2, "outbox_").create();
        List<Connection> own = new ArrayList<>();
        ConnectionSource lost = () -> {
            own.add(DriverManager.getConnection(url, "sa", ""));
            return own.get(0);
        };
        ConnectionSource pool = source(sql -> {
            if (sql.contains("SKIP LOCKED")) {
                close(own.get(0));
            }
            return sql;
        });

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> new LockProbe(lost, pool, Dialect.H2, "outbox_").check())
                .matches(StoreException::isTransient);
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_database_that_hides_free_rows_is_refused() {
        probe(sql -> sql.replace(" FOR UPDATE SKIP LOCKED", " AND 1 = 0"), "was skipped as locked");
    }

    @Test
    void a_database_that_locks_is_accepted() {
        ConnectionSource source = source(sql -> sql);
        new Schema(source, Dialect.H2, "outbox_").create();
        assertThatCode(() -> new LockProbe(source, source, Dialect.H2, "outbox_").check())
                .doesNotThrowAnyException();
        assertReturnedAsBorrowed();
    }

    @Test
    void a_probe_that_fails_returns_its_connections_as_they_were() {
        new Schema(source(sql -> sql), Dialect.H2, "outbox_").create();
        ConnectionSource broken = source(sql -> sql.replace("outbox_meta", "outbox_missing"));
        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(() -> new LockProbe(broken, broken, Dialect.H2, "outbox_").check())
                .withMessageStartingWith("OUTBOX-0306");
        assertReturnedAsBorrowed();
    }

    /** A pool may keep the mode for the next borrower. */
    private void assertReturnedAsBorrowed() {
        assertThat(modes).isNotEmpty().containsOnly(true);
    }

    @Test
    void two_databases_by_accident_are_refused() {
        ConnectionSource own = source(sql -> sql);
        new Schema(own, Dialect.H2, "outbox_").create();
        String other = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        ConnectionSource pool = source(other, sql -> sql);
        new Schema(pool, Dialect.H2, "outbox_").create();

        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(() -> new LockProbe(own, pool, Dialect.H2, "outbox_").check())
                .withMessageContaining("point to different databases");
        assertReturnedAsBorrowed();
    }

    private void probe(UnaryOperator<String> rewriting, String reason) {
        new Schema(source(sql -> sql), Dialect.H2, "outbox_").create();
        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(() -> new LockProbe(source(rewriting), source(rewriting), Dialect.H2, "outbox_").check())
                .withMessageStartingWith("OUTBOX-0307")
                .withMessageContaining(reason);
        assertReturnedAsBorrowed();
    }

    /** As a proxy between application and database would. */
    private ConnectionSource source(UnaryOperator<String> rewriting) {
        return source(url, rewriting);
    }

    private ConnectionSource source(String database, UnaryOperator<String> rewriting) {
        return () -> {
            Connection real = DriverManager.getConnection(database, "sa", "");
            return WatchedConnection.of(real, call -> {
                if (call.is("prepareStatement")) {
                    call.arguments()[0] = rewriting.apply(call.prepared());
                }
                if (call.is("close")) {
                    modes.add(real.getAutoCommit());
                }
                return call.proceed();
            });
        };
    }
}
