package io.outboxed.internal.schema;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Counted;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.RelayConnection;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.store.LaneHash;
import io.outboxed.internal.store.sql.ProbeSql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks settings of the database with which numbers would not follow the order of commits, shards would not match, or
 * text would change.
 */
public final class DatabaseCheck {
    private final ConnectionSource source;
    private final Dialect dialect;
    private final ProbeSql sql;

    public DatabaseCheck(ConnectionSource source, Dialect dialect, String prefix) {
        this.source = source;
        this.dialect = dialect;
        this.sql = new ProbeSql(dialect, prefix);
    }

    /** Rejects an unsuitable database, with a list of all problems. */
    public void check() {
        List<String> problems = new ArrayList<>();
        try (RelayConnection relay = RelayConnection.open(source, dialect)) {
            Jdbc jdbc = new Jdbc(relay.connection(), dialect);
            checkLayout(jdbc, problems);
            checkShardCount(jdbc, problems);
            checkShardRows(jdbc, problems);
            checkNumbers(jdbc, problems);
            checkText(jdbc, problems);
        } catch (SQLException e) {
            throw SqlFailure.ofStatement("reading the database settings", e);
        }
        if (!problems.isEmpty()) {
            throw new OutboxException(
                    "OUTBOX-0308",
                    "This database can't be used with its current settings, "
                            + Counted.of(problems.size(), "problem") + ":\n  "
                            + String.join("\n  ", problems) + "\nNothing was changed.");
        }
    }

    private void checkLayout(Jdbc jdbc, List<String> problems) throws SQLException {
        long found = meta(jdbc, "schema");
        if (found == UpgradeScript.CURRENT) {
            return;
        }
        String action = found > UpgradeScript.CURRENT
                ? "They were changed for a newer version of Outboxed: deploy that one"
                : "See docs/upgrading.md for the statements that change them";
        problems.add("the tables " + sql.prefix() + "* have layout " + found + " (row 'schema' of " + sql.prefix()
                + "meta), this version of Outboxed needs layout " + UpgradeScript.CURRENT + ". " + action + ".");
    }

    private void checkShardCount(Jdbc jdbc, List<String> problems) throws SQLException {
        long found = meta(jdbc, "shards");
        if (found != LaneHash.SHARDS) {
            problems.add("row 'shards' of " + sql.prefix() + "meta says " + found
                    + ", this version of Outboxed needs " + LaneHash.SHARDS
                    + ". Was the database set up by another version?");
        }
    }

    /** -1 if the row is missing. */
    private long meta(Jdbc jdbc, String name) throws SQLException {
        return jdbc.first(sql.meta, row -> row.getLong("setting"), name).orElse(-1L);
    }

    private void checkShardRows(Jdbc jdbc, List<String> problems) throws SQLException {
        boolean complete = jdbc.first(
                        sql.countShards,
                        row -> row.getLong("shards") == LaneHash.SHARDS
                                && row.getLong("lowest") == 0
                                && row.getLong("highest") == LaneHash.SHARDS - 1)
                .orElse(false);
        if (!complete) {
            problems.add(sql.prefix() + "shard must hold the shards 0 to " + (LaneHash.SHARDS - 1)
                    + ": events of a missing shard would never be delivered. Add the missing rows.");
        }
    }

    private void checkNumbers(Jdbc jdbc, List<String> problems) throws SQLException {
        if (dialect.isMySqlFamily()) {
            for (String scope : List.of("session", "global")) {
                long step = jdbc.first(sql.numberStep(scope), row -> row.getLong("step"))
                        .orElse(1L);
                if (step != 1) {
                    problems.add(
                            "auto_increment_increment (" + scope + ") is " + step + ": with several writing servers, a"
                                    + " later event can get a smaller number, which breaks the order of its aggregate."
                                    + " Set it to 1"
                                    + " and write to one server.");
                }
            }
        } else if (dialect == Dialect.POSTGRESQL) {
            long cache = jdbc.first(sql.numberCache, row -> row.getLong("seqcache"), sql.prefix() + "message")
                    .orElse(1L);
            if (cache != 1) {
                problems.add("the identity of " + sql.prefix() + "message caches " + cache
                        + " numbers for each connection: a"
                        + " later event can get a smaller number, which breaks the order of its aggregate. Run ALTER"
                        + " TABLE "
                        + sql.prefix() + "message ALTER COLUMN seq SET CACHE 1");
            }
        }
    }

    private void checkText(Jdbc jdbc, List<String> problems) throws SQLException {
        new TextProbe(sql).check("the relay's connection", jdbc, problems);
        if (dialect == Dialect.POSTGRESQL) {
            String encoding = jdbc.first(sql.serverEncoding, row -> row.getString("server_encoding"))
                    .orElse("unknown");
            if (!encoding.equals("UTF8")) {
                problems.add("server_encoding is " + encoding + ": events with a character that it lacks could not be"
                        + " stored, and other programs could store text that can't be read. Create a database with"
                        + " ENCODING 'UTF8' (and TEMPLATE template0) and move the tables to it");
            }
        }
    }
}
