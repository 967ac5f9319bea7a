package io.outboxed.internal.operations.check;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Counted;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.EpochMicros;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.SqlFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Settings of the server that lose events, stop the relay or slow it down, the server's clock, and transactions that were
 * prepared and not ended.
 */
final class SettingsCheck {
    private static final Duration MAX_CLOCK_OFFSET = Duration.ofSeconds(2);
    private static final long MIN_PACKET = 4 << 20;
    /** What MySQL answers without XA_RECOVER_ADMIN: 8.0 and later versions. */
    private static final Set<Integer> MAY_NOT_LIST = Set.of(1401, 1227);

    private final ConnectionSource source;
    private final Dialect dialect;
    private final CheckSql sql;

    SettingsCheck(ConnectionSource source, Dialect dialect, CheckSql sql) {
        this.source = source;
        this.dialect = dialect;
        this.sql = sql;
    }

    List<CheckResult> diagnose() {
        try (Connection connection = source.open()) {
            Jdbc jdbc = new Jdbc(connection, dialect);
            List<CheckResult> results = new ArrayList<>();
            results.add(isolation(connection));
            results.add(clock(jdbc));
            if (dialect != Dialect.H2) {
                results.add(prepared(jdbc));
            }
            int before = results.size();
            settings(jdbc, results);
            if (results.size() == before) {
                results.add(CheckResult.ok("settings", "no harmful settings"));
            }
            return results;
        } catch (SQLException e) {
            throw SqlFailure.toStoreException("reading the settings of the database", e);
        }
    }

    /** The outbox is correct at every level; what publishers and handlers read is not, or costs locks and attempts. */
    private CheckResult isolation(Connection connection) throws SQLException {
        int level = connection.getTransactionIsolation();
        String name = switch (level) {
            case Connection.TRANSACTION_READ_UNCOMMITTED -> "READ UNCOMMITTED";
            case Connection.TRANSACTION_READ_COMMITTED -> "READ COMMITTED";
            case Connection.TRANSACTION_REPEATABLE_READ -> "REPEATABLE READ";
            case Connection.TRANSACTION_SERIALIZABLE -> "SERIALIZABLE";
            default -> "unknown";
        };
        String found = name + " by default; relay and operators set READ COMMITTED themselves";
        String fix = "set READ COMMITTED for the applications, in the server or in their data sources";
        // PostgreSQL treats READ UNCOMMITTED as READ COMMITTED
        if (level == Connection.TRANSACTION_READ_UNCOMMITTED && dialect != Dialect.POSTGRESQL) {
            return CheckResult.warning(
                    "isolation",
                    found + ". Publishers and handlers may read what is rolled back later, and events tell of it",
                    fix);
        }
        if (level == Connection.TRANSACTION_SERIALIZABLE) {
            return CheckResult.warning(
                    "isolation",
                    found + ". Publishers and handlers "
                            + (dialect.isMySqlFamily()
                                    ? "lock all that they read and wait for one another"
                                    : "that overlap are rolled back")
                            + ", and each failure of a handler counts as an attempt",
                    fix);
        }
        return CheckResult.ok("isolation", found);
    }

    /** Only an operator compares clocks: the relay uses the database's alone. */
    private CheckResult clock(Jdbc jdbc) throws SQLException {
        Instant before = Instant.now();
        long micros = jdbc.number(sql.clock).orElseThrow();
        Instant after = Instant.now();
        Instant database = EpochMicros.toInstant(micros);
        Instant here = before.plus(Duration.between(before, after).dividedBy(2));
        Duration offset = Duration.between(here, database);
        String text = String.format(
                Locale.ROOT,
                "%+.3f s from this machine's, round trip %d ms",
                offset.toMillis() / 1000.0,
                Duration.between(before, after).toMillis());
        return offset.abs().compareTo(MAX_CLOCK_OFFSET) <= 0
                ? CheckResult.ok("clock", text)
                : CheckResult.warning(
                        "clock", text, "deliveries are not affected, but times of logs can't be compared: use NTP");
    }

    private CheckResult prepared(Jdbc jdbc) throws SQLException {
        int count;
        try {
            count = jdbc.list(sql.preparedTransactions(), row -> true).size();
        } catch (SQLException e) {
            if (!MAY_NOT_LIST.contains(e.getErrorCode())) {
                throw e;
            }
            return CheckResult.ok("XA", "not examined, because the account lacks XA_RECOVER_ADMIN");
        }
        if (count == 0) {
            return CheckResult.ok("XA", "no transaction is prepared");
        }
        return CheckResult.warning(
                "XA",
                Counted.of(count, "prepared transaction") + ": until they end, their rows are locked, and events that"
                        + " follow in the same aggregates wait",
                "run this again in a minute. If they are still there, start the application server that prepared them, so"
                        + " that it recovers them, or end them by hand");
    }

    private void settings(Jdbc jdbc, List<CheckResult> results) throws SQLException {
        Map<String, String> found = new HashMap<>();
        jdbc.list(sql.settings(), row -> found.put(row.getString("name"), row.getString("setting")));
        if (isOn(found.get("read_only")) || isOn(found.get("transaction_read_only"))) {
            results.add(CheckResult.problem(
                    "read-only", "the server or the session rejects writes", "connect to the server that writes"));
        }
        // with MIXED the server logs rows for READ COMMITTED
        if (isOn(found.get("log_bin")) && "STATEMENT".equals(found.get("binlog_format"))) {
            results.add(CheckResult.problem(
                    "binlog_format",
                    "is STATEMENT, but the relay writes with READ COMMITTED, which the server then rejects",
                    "set it to ROW or MIXED"));
        }
        durability(found, results);
        String packet = found.get("max_allowed_packet");
        if (packet != null && Long.parseLong(packet) < MIN_PACKET) {
            results.add(CheckResult.warning(
                    "max_allowed_packet",
                    "is " + packet + " bytes",
                    "keep it well above outbox.payload.max-bytes (1 MiB by default)"));
        }
        if ("off".equals(found.get("autovacuum"))) {
            results.add(CheckResult.warning(
                    "autovacuum", "is off: deleted messages stay in the tables and slow down reads", "set it to on"));
        }
    }

    private static void durability(Map<String, String> found, List<CheckResult> results) {
        String loses = "committed events can be lost in a crash of the server";
        if ("off".equals(found.get("fsync"))) {
            results.add(CheckResult.problem("fsync", "is off: " + loses, "set it to on"));
        }
        if ("off".equals(found.get("synchronous_commit"))) {
            results.add(CheckResult.warning("synchronous_commit", "is off: " + loses, "set it to on"));
        }
        String flush = found.get("innodb_flush_log_at_trx_commit");
        if (flush != null && !"1".equals(flush)) {
            results.add(
                    CheckResult.warning("innodb_flush_log_at_trx_commit", "is " + flush + ": " + loses, "set it to 1"));
        }
        if (isOn(found.get("log_bin")) && "0".equals(found.get("sync_binlog"))) {
            results.add(CheckResult.warning("sync_binlog", "is 0: replicas can lose events in a crash", "set it to 1"));
        }
    }

    private static boolean isOn(String value) {
        return "1".equals(value) || "on".equalsIgnoreCase(value);
    }
}
