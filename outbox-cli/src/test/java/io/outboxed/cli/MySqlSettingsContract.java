package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Which settings of MySQL and MariaDB hurt, and what {@code check} says about them. */
abstract class MySqlSettingsContract extends OperatorRightsContract {

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

    @Test
    void each_setting_that_loses_events_or_refuses_large_ones_is_found() throws SQLException {
        for (String[] setting : new String[][] {
            {"innodb_flush_log_at_trx_commit", "2", "1", "is 2: committed events can be lost"},
            {"sync_binlog", "0", "1", "is 0: replicas can lose events"},
            {"max_allowed_packet", "1048576", "67108864", "is 1048576 bytes"},
        }) {
            administer("SET GLOBAL " + setting[0] + " = " + setting[2]);
            succeeds("operator", "check");
            assertThat(terminal().output()).doesNotContain(setting[0]);
            administer("SET GLOBAL " + setting[0] + " = " + setting[1]);
            try {
                succeeds("operator", "check");
                assertThat(terminal().output()).contains("warning  " + setting[0] + ": " + setting[3]);
            } finally {
                administer("SET GLOBAL " + setting[0] + " = " + setting[2]);
            }
        }
    }

    @Test
    void a_clock_that_is_wrong_is_found() throws SQLException {
        try {
            // the clock of each session of this account
            administer("SET GLOBAL init_connect = 'SET SESSION timestamp = UNIX_TIMESTAMP(NOW(6)) - 3600'");
            succeeds("operator", "check");
            assertThat(terminal().output())
                    .containsPattern("warning {2}clock: -3600\\.")
                    .contains("use NTP");
        } finally {
            administer("SET GLOBAL init_connect = ''");
        }
        succeeds("operator", "check");
        assertThat(terminal().output()).contains("ok       clock: ");
    }

    @Test
    void an_isolation_at_which_applications_lock_or_read_too_much_is_found() throws SQLException {
        for (String good : new String[] {"READ COMMITTED", "REPEATABLE READ"}) {
            administer("SET GLOBAL TRANSACTION ISOLATION LEVEL " + good);
            succeeds("operator", "check");
            assertThat(terminal().output()).contains("ok       isolation: " + good);
        }
        try {
            administer("SET GLOBAL TRANSACTION ISOLATION LEVEL READ UNCOMMITTED");
            succeeds("operator", "check");
            assertThat(terminal().output())
                    .contains("warning  isolation: READ UNCOMMITTED", "may read what is rolled back");
            administer("SET GLOBAL TRANSACTION ISOLATION LEVEL SERIALIZABLE");
            succeeds("operator", "check");
            assertThat(terminal().output()).contains("warning  isolation: SERIALIZABLE", "lock all that they read");
        } finally {
            administer("SET GLOBAL TRANSACTION ISOLATION LEVEL REPEATABLE READ");
        }
    }
}
