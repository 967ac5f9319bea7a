package io.outboxed.internal.schema;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class LockProbeTest {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    @Test
    void a_database_that_ignores_lock_clauses_is_refused() {
        probe(sql -> sql.replaceAll(" FOR UPDATE.*", ""), "could be locked by another one");
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
    }

    @Test
    void two_databases_by_accident_are_refused() {
        ConnectionSource own = source(sql -> sql);
        new Schema(own, Dialect.H2, "outbox_").create();
        String other = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        ConnectionSource pool = () -> DriverManager.getConnection(other, "sa", "");
        new Schema(pool, Dialect.H2, "outbox_").create();

        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(() -> new LockProbe(own, pool, Dialect.H2, "outbox_").check())
                .withMessageContaining("point to different databases");
    }

    private void probe(UnaryOperator<String> rewriting, String reason) {
        new Schema(source(sql -> sql), Dialect.H2, "outbox_").create();
        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(() -> new LockProbe(source(rewriting), source(rewriting), Dialect.H2, "outbox_").check())
                .withMessageStartingWith("OUTBOX-0307")
                .withMessageContaining(reason);
    }

    /** As a proxy between application and database would. */
    private ConnectionSource source(UnaryOperator<String> rewriting) {
        return () -> {
            Connection real = DriverManager.getConnection(url, "sa", "");
            return (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("prepareStatement")) {
                            arguments[0] = rewriting.apply((String) arguments[0]);
                        }
                        try {
                            return method.invoke(real, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        };
    }
}
