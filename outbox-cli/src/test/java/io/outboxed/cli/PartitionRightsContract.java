package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.cli.CommandRights.Right;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Maintenance of partitions with exactly the rights that the pages list: they suffice, and none is too many. */
abstract class PartitionRightsContract extends CommandRightsContract {
    private static final String COMMAND = "partitions --apply";
    private static final Path PAGE = Path.of("..", "docs", "tables.md");
    private static final Pattern WORD = Pattern.compile("`([A-Z]+)`");

    private int lookAhead = 1;

    @Test
    void the_listed_rights_suffice_for_partitions() throws SQLException, IOException {
        somethingToDo();
        grantAll(rights());
        try {
            succeeds(SINGLE, command());
        } finally {
            grantAll(List.of());
        }
        assertThat(tables().texts("SELECT CONCAT(action, ': ', target) FROM outbox_audit"))
                .singleElement()
                .asString()
                .startsWith("partitions: created p")
                .contains(dialect().isMySqlFamily() ? "dropped p20010101" : "");
    }

    @Test
    void none_of_the_listed_rights_for_partitions_can_be_left_out() throws SQLException, IOException {
        List<String> tooMany = new ArrayList<>();
        for (int left = 0; left < rights().size(); left++) {
            somethingToDo();
            List<List<String>> others = new ArrayList<>(rights());
            List<String> withheld = others.remove(left);
            grantAll(others);
            int exit = run(SINGLE, command());
            if (exit != ExitCode.DATABASE || !terminal().errors().contains("A privilege is missing")) {
                tooMany.add(withheld + " (" + exit + ")" + terminal().errors());
            }
            grantAll(List.of());
        }
        assertThat(tooMany).isEmpty();
    }

    private String[] command() {
        return ("partitions --period day --look-ahead " + lookAhead + "d --retention 90d --apply --yes").split(" ");
    }

    /** A partition is missing, and on MySQL and MariaDB, where each right is one of its own, another one is too old. */
    private void somethingToDo() throws SQLException {
        tables().clear();
        lookAhead += 2;
        if (dialect().isMySqlFamily()) {
            tables().run("DROP TABLE outbox_history");
            Tables.empty(() -> open("outbox_migrator", "change me, too"), dialect())
                    .close();
            tables().run("ALTER TABLE outbox_history REORGANIZE PARTITION pmax INTO (PARTITION p20010101 VALUES LESS"
                    + " THAN (1000), PARTITION pmax VALUES LESS THAN MAXVALUE)");
        }
    }

    /** The statements that grant each. */
    private List<List<String>> rights() throws IOException, SQLException {
        List<List<String>> rights = new ArrayList<>();
        if (dialect().isMySqlFamily()) {
            WORD.matcher(documented("| MySQL, MariaDB | ").split("\\|")[2])
                    .results()
                    .forEach(word ->
                            rights.add(List.of("GRANT " + word.group(1) + " ON outbox_history TO " + single())));
        } else {
            assertThat(documented("| PostgreSQL | ownership"))
                    .contains("and its partitions, and `CREATE` in the schema");
            rights.add(historyBelongsTo("outbox_single"));
            rights.add(List.of("GRANT CREATE ON SCHEMA public TO outbox_single"));
        }
        rights.add(List.of("GRANT SELECT ON outbox_audit TO " + single()));
        for (Right right : CommandRights.of(COMMAND).rights()) {
            rights.add(List.of("GRANT " + right.privilege() + " ON outbox_" + right.table() + " TO " + single()));
        }
        return rights;
    }

    private static String documented(String begin) throws IOException {
        return Files.readString(PAGE)
                .lines()
                .filter(line ->
                        line.startsWith(begin) && line.toLowerCase(Locale.ROOT).contains("`outbox_history`"))
                .findFirst()
                .orElseThrow();
    }

    private void grantAll(List<List<String>> rights) throws SQLException {
        if (!dialect().isMySqlFamily()) {
            // first: what is revoked from an owner stays revoked for the next one
            administer(historyBelongsTo("outbox_migrator").toArray(String[]::new));
            administer("REVOKE CREATE ON SCHEMA public FROM outbox_single");
        }
        administer(revokeAll());
        for (List<String> right : rights) {
            administer(right.toArray(String[]::new));
        }
    }

    private List<String> historyBelongsTo(String role) throws SQLException {
        List<String> statements = new ArrayList<>(List.of("ALTER TABLE outbox_history OWNER TO " + role));
        tables().texts("SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'outbox_history'::regclass")
                .forEach(part -> statements.add("ALTER TABLE " + part + " OWNER TO " + role));
        return statements;
    }
}
