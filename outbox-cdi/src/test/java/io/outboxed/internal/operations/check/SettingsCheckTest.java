package io.outboxed.internal.operations.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.WatchedConnection;
import io.outboxed.internal.operations.check.CheckResult.Severity;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SettingsCheckTest {
    private final CheckSql sql = new CheckSql(Dialect.H2, "outbox_");

    @Test
    void a_clock_that_differs_by_more_than_two_seconds_is_a_warning_that_says_by_how_much() {
        assertThat(clock(0).severity()).isEqualTo(Severity.OK);
        assertThat(clock(-3_600).severity()).isEqualTo(Severity.WARNING);
        assertThat(clock(-3_600).finding()).containsPattern("^-3(600|599)\\.\\d{3} s from this machine's");
        assertThat(clock(3_600).severity()).isEqualTo(Severity.WARNING);
        assertThat(clock(3_600).finding()).containsPattern("^\\+3(600|599)\\.\\d{3} s from this machine's");
        assertThat(clock(3_600).remedy()).endsWith("use NTP");
    }

    private CheckResult clock(int secondsFast) {
        return new SettingsCheck(() -> withClock(secondsFast), Dialect.H2, sql)
                .diagnose().stream()
                        .filter(result -> result.subject().equals("clock"))
                        .findFirst()
                        .orElseThrow();
    }

    private Connection withClock(int secondsFast) throws SQLException {
        Connection real = DriverManager.getConnection("jdbc:h2:mem:" + UUID.randomUUID());
        return WatchedConnection.of(real, call -> {
            if (call.prepared().equals(sql.clock)) {
                return real.prepareStatement(
                        "SELECT found + " + secondsFast * 1_000_000L + " AS found FROM (" + sql.clock + ") clock");
            }
            return call.proceed();
        });
    }
}
