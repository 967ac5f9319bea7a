package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Which formats of the binary log the outbox works with, and what {@code check} says about them. */
abstract class BinaryLogContract extends OperatorRightsContract {

    @Test
    void rows_and_a_mix_are_good_and_statements_are_a_problem() throws SQLException {
        try {
            for (String format : new String[] {"ROW", "MIXED"}) {
                administer("SET GLOBAL binlog_format = '" + format + "'");
                tables().dead("order.placed", format, "mail", "down");
                succeeds("operator", "check");
                assertThat(terminal().output()).contains("right to read").doesNotContain("binlog_format");
                succeeds("operator", "discard", "--all", "--yes");
                assertThat(tables().count("dead")).isZero();
            }
            administer("SET GLOBAL binlog_format = 'STATEMENT'");
            tables().dead("order.placed", "1", "mail", "down");
            assertThat(run("operator", "check")).isEqualTo(ExitCode.FOUND);
            assertThat(terminal().output()).contains("problem  binlog_format: is STATEMENT");
            assertThat(run("operator", "discard", "--all", "--yes")).isEqualTo(ExitCode.DATABASE);
        } finally {
            administer("SET GLOBAL binlog_format = 'ROW'");
        }
    }
}
