package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.cli.CommandRights.Right;
import io.outboxed.operator.Tables;
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
                .contains("dropped p20010101");
    }

    @Test
    void none_of_the_listed_rights_for_partitions_can_be_left_out() throws SQLException, IOException {
        List<String> tooMany = new ArrayList<>();
        for (int left = 0; left < rights().size(); left++) {
            somethingToDo();
            List<List<String>> others = new ArrayList<>(rights());
            List<String> withheld = others.remove(left);
            grantAll(others);
            List<String> before = partitions();
            int exit = run(SINGLE, command());
            if (exit != ExitCode.DATABASE || !terminal().errors().contains("A privilege is missing")) {
                tooMany.add(withheld + " (" + exit + ")" + terminal().errors());
            }
            if (withheld.toString().contains("outbox_audit")) {
                assertThat(partitions()).as("without " + withheld).isEqualTo(before);
                assertThat(tables().count("audit")).as("without " + withheld).isZero();
            }
            grantAll(rights());
            succeeds(SINGLE, command());
            assertThat(partitions()).as("with " + withheld).isNotEqualTo(before);
            grantAll(List.of());
        }
        assertThat(tooMany).isEmpty();
    }

    /** On MySQL and MariaDB the catalog hides such a table. */
    @Test
    void a_history_that_the_account_may_not_see_is_not_taken_for_one_without_partitions() throws SQLException {
        somethingToDo();
        grantAll(List.of(List.of("GRANT SELECT ON outbox_audit TO " + single())));
        try {
            assertThat(run(SINGLE, "partitions", "--period", "day")).isEqualTo(ExitCode.DATABASE);
        } finally {
            grantAll(List.of());
        }
        assertThat(terminal().errors()).contains("A privilege is missing").doesNotContain("PARTITION BY");
    }

    @Test
    void a_check_says_who_may_change_partitions_and_what_the_others_lack() throws SQLException {
        for (String account : List.of("viewer", "operator")) {
            succeeds(account, "check");
            assertThat(terminal().output())
                    .contains(
                            dialect().isMySqlFamily()
                                    ? "ok       right to change partitions: not granted: ALTER on outbox_history (DROP"
                                    : "ok       right to change partitions: not granted: membership in the role"
                                            + " outbox_migrator, which owns outbox_history or partitions of it; CREATE in"
                                            + " the schema public\n");
        }
        succeeds("migrator", "partitions", "--period", "day", "--look-ahead", "365d");
        String plan = terminal().output();
        succeeds("migrator", "check");
        assertThat(terminal().output()).contains("ok       right to change partitions: granted\n");
        succeeds("migrator", "partitions", "--period", "day", "--look-ahead", "365d");
        assertThat(terminal().output()).as("nothing was changed").isEqualTo(plan);
    }

    @Test
    void a_check_names_each_right_for_partitions_that_is_missing() throws SQLException, IOException {
        List<String> found = new ArrayList<>();
        for (int left = 0; left < rights().size(); left++) {
            List<List<String>> others = new ArrayList<>(rights());
            others.remove(left);
            grantAll(others);
            run(SINGLE, "check");
            found.add(checked());
        }
        grantAll(rights());
        run(SINGLE, "check");
        found.add(checked());
        grantAll(List.of());
        String onlyForNodes = "granted for a node; \"outbox partitions --apply\" also needs ";
        assertThat(found)
                .containsExactlyElementsOf(
                        dialect().isMySqlFamily()
                                ? List.of(
                                        "not granted: SELECT on outbox_history",
                                        "not granted: ALTER on outbox_history (DROP can't be tested without it)",
                                        "not granted: DROP on outbox_history",
                                        onlyForNodes + "INSERT, UPDATE on outbox_audit",
                                        onlyForNodes + "INSERT on outbox_audit",
                                        onlyForNodes + "UPDATE on outbox_audit",
                                        "granted")
                                : List.of(
                                        "not granted: membership in the role outbox_migrator, which owns outbox_history"
                                                + " or partitions of it",
                                        "not granted: CREATE in the schema public",
                                        onlyForNodes + "INSERT, UPDATE on outbox_audit",
                                        onlyForNodes + "INSERT on outbox_audit",
                                        onlyForNodes + "UPDATE on outbox_audit",
                                        "granted"));
    }

    private List<String> partitions() throws SQLException {
        return tables().texts(
                        dialect().isMySqlFamily()
                                ? "SELECT partition_name FROM information_schema.partitions"
                                        + " WHERE table_schema = DATABASE() AND table_name = 'outbox_history'"
                                        + " ORDER BY partition_name"
                                : "SELECT CAST(CAST(inhrelid AS REGCLASS) AS TEXT) FROM pg_inherits"
                                        + " WHERE inhparent = CAST('outbox_history' AS REGCLASS) ORDER BY 1");
    }

    /** What the check says about them. */
    private String checked() {
        return terminal()
                .output()
                .lines()
                .filter(line -> line.startsWith("ok       right to change partitions: "))
                .map(line -> line.substring("ok       right to change partitions: ".length()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(terminal().output()));
    }

    private String[] command() {
        return ("partitions --period day --look-ahead " + lookAhead + "d --retention 90d --apply --yes").split(" ");
    }

    /** A partition is missing, and another one is too old. */
    private void somethingToDo() throws SQLException {
        tables().clear();
        lookAhead += 2;
        if (dialect().isMySqlFamily()) {
            tables().run("DROP TABLE outbox_history");
            Tables.empty(() -> open("outbox_migrator", "change me, too"), dialect())
                    .close();
            tables().run("ALTER TABLE outbox_history REORGANIZE PARTITION pmax INTO (PARTITION p20010101 VALUES LESS"
                    + " THAN (1000), PARTITION pmax VALUES LESS THAN MAXVALUE)");
        } else {
            tables().run("DROP TABLE IF EXISTS outbox_history_p20010101");
            tables().run("CREATE TABLE outbox_history_p20010101 PARTITION OF outbox_history FOR VALUES FROM (0)"
                    + " TO (1000)");
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
