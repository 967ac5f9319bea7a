package io.outboxed.rest.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.outboxed.OutboxException;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.OperationRunningException;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.StoreException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a client is told about a failure, above all whether to repeat the request. */
class AdminErrorsTest {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID();
    private Connection owner;

    @BeforeEach
    void create() throws SQLException {
        owner = DriverManager.getConnection(url, "owner", "");
        run(owner, "CREATE TABLE outbox_audit (who CHARACTER VARYING(9) PRIMARY KEY)");
        run(owner, "CREATE USER application PASSWORD ''");
        run(owner, "GRANT ALL ON outbox_audit TO application");
    }

    @AfterEach
    void close() throws SQLException {
        owner.close();
    }

    @Test
    void a_locked_row_or_a_lost_connection_may_be_there_later() {
        for (String state : List.of("55P03", "08006")) {
            assertThat(answer(SqlFailure.toStoreException("an insert", new SQLException("refused", state))))
                    .as(state)
                    .isEqualTo(ProblemType.DATABASE_UNAVAILABLE);
        }
    }

    @Test
    void a_statement_that_was_ended_at_its_limit_of_time_may_be_faster_later() {
        SQLException byPostgreSql = new SQLException("canceling statement due to statement timeout", "57014");
        SQLException byMySql = new SQLException("maximum statement execution time exceeded", "HY000", 3024);
        for (SQLException ended : List.of(byPostgreSql, byMySql)) {
            assertThat(answer(SqlFailure.toStoreException("a search", ended)))
                    .isEqualTo(ProblemType.DATABASE_UNAVAILABLE);
        }
    }

    @Test
    void a_database_that_has_not_answered_yet_may_do_so_later() {
        assertThat(AdminErrors.problem(new IllegalStateException(new OutboxException("OUTBOX-0441", "not yet")))
                        .type())
                .isEqualTo(ProblemType.DATABASE_UNAVAILABLE);
    }

    @Test
    void a_missing_right_is_not_given_by_repeating() throws SQLException {
        run(owner, "REVOKE INSERT ON outbox_audit FROM application");

        assertThat(answer(refused("INSERT INTO outbox_audit (who) VALUES ('ada')")))
                .isEqualTo(ProblemType.FAILED);
    }

    @Test
    void a_missing_table_is_not_created_by_repeating() {
        assertThat(answer(refused("INSERT INTO outbox_operation (id) VALUES (1)")))
                .isEqualTo(ProblemType.FAILED);
    }

    @Test
    void a_row_that_another_program_has_written_stays_as_it_is() {
        assertThat(answer(new StoreException("seq 7 has state 9", false, null))).isEqualTo(ProblemType.FAILED);
    }

    @Test
    void any_other_failure_is_in_the_log() {
        assertThat(AdminErrors.problem(new IllegalStateException("boom")).type())
                .isEqualTo(ProblemType.FAILED);
        assertThat(AdminErrors.problem(new OutboxException("OUTBOX-0442", "no data source"))
                        .type())
                .isEqualTo(ProblemType.FAILED);
    }

    @Test
    void a_running_operation_is_named() {
        BulkOperation running = new BulkOperation(
                new UUID(7, 7),
                BulkRequest.replay(DeadLetterFilter.all().error("secret")),
                Attribution.of("bob", "mail is back"),
                BulkOperation.State.RUNNING,
                3,
                1,
                Instant.EPOCH,
                null);

        Problem problem = AdminErrors.problem(new IllegalStateException(new OperationRunningException(running)));
        assertThat(problem.type()).isEqualTo(ProblemType.OPERATION_RUNNING);
        assertThat(problem.type().status()).isEqualTo(409);
        assertThat(problem.detail()).contains(running.id().toString()).doesNotContain("secret");
    }

    @Test
    void a_problem_is_answered_however_deep_a_container_has_wrapped_it() {
        ProblemException problem = new ProblemException(ProblemType.CHANGED, "meanwhile");

        assertThat(AdminErrors.problem(new IllegalStateException(new RuntimeException(problem)))
                        .type())
                .isEqualTo(ProblemType.CHANGED);
    }

    /** As the bean OutboxAdmin throws it, wrapped by a container. */
    private static ProblemType answer(StoreException failure) {
        return AdminErrors.problem(new IllegalStateException(
                        new OutboxException("OUTBOX-0446", "the outbox could not be changed", failure)))
                .type();
    }

    private StoreException refused(String sql) {
        try (Connections connections =
                new Connections(() -> DriverManager.getConnection(url, "application", ""), Dialect.H2, 1)) {
            return catchThrowableOfType(StoreException.class, () -> connections.transaction(jdbc -> jdbc.update(sql)));
        }
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
