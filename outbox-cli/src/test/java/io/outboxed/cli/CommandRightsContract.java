package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.cli.CommandRights.Right;
import io.outboxed.internal.database.Dialect;
import io.outboxed.operator.Tables;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each command with exactly the rights that its page lists: they suffice, and none is too many. */
abstract class CommandRightsContract extends GrantedAccounts {
    static final String SINGLE = "single";
    /** Of a lane that has a row. One that has none needs INSERT. */
    private static final Right CHANGE_LANE = new Right("UPDATE", "lane");

    private static final Set<String> LOCKED_ONLY = Set.of("shard", "dead", "meta", "history", "inbox");

    static List<CommandRights> documented() {
        return CommandRights.documented().stream()
                .filter(row -> !row.command().startsWith("partitions"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("documented")
    void the_listed_rights_suffice(CommandRights row) throws SQLException {
        List<String> command = prepare(row.command());
        grant(row.rights().stream().filter(right -> isNeededHere(right, row)).toList());
        succeeds(SINGLE, command.toArray(String[]::new));
    }

    @Test
    void reading_and_the_check_need_no_more_than_to_read_and_what_their_row_adds() throws SQLException {
        String dead = tables().dead("order.placed", "1", "mail", "down").toString();
        String waiting = tables().waiting("order.placed", "2", "mail").toString();
        grant(List.of());
        for (String command : List.of(
                "status",
                "list",
                "list --state waiting",
                "show " + dead + " --payload",
                "show " + waiting + " --payload",
                "failures",
                "handlers",
                "audit",
                "operations",
                "schema verify",
                "schema upgrade")) {
            succeeds(SINGLE, command.split(" "));
        }
        if (dialect() == Dialect.POSTGRESQL) {
            administer("GRANT SELECT ON outbox_history_rest TO " + single());
        }
        succeeds(SINGLE, "partitions", "--period", "day");
        administer("GRANT UPDATE ON outbox_meta TO " + single());
        succeeds(SINGLE, "check");
    }

    /** Nothing is changed, or what is changed is in the audit, and the next run, with all rights, changes the rest. */
    @Test
    void none_of_the_listed_rights_can_be_left_out() throws SQLException {
        List<String> tooMany = new ArrayList<>();
        for (CommandRights row : documented()) {
            tables().clear();
            String[] complete = prepare(row.command()).toArray(String[]::new);
            grant(row.rights());
            succeeds(SINGLE, complete);
            Map<String, Integer> expected = result();
            for (Right left : row.rights()) {
                if (!isNeededHere(left, row)) {
                    continue;
                }
                tables().clear();
                String[] command = prepare(row.command(), left).toArray(String[]::new);
                String right = left.privilege() + " ON outbox_" + left.table();
                Map<String, Integer> before = result();
                administer("REVOKE " + right + " FROM " + single());
                int exit = run(SINGLE, command);
                String errors = terminal().errors();
                administer("GRANT " + right + " TO " + single());
                if (exit != ExitCode.DATABASE || !errors.contains("A privilege is missing")) {
                    tooMany.add(row + ": " + right + " (" + exit + ")");
                } else if (!result().equals(before)) {
                    succeeds(SINGLE, command);
                    assertThat(result())
                            .as(row + " without " + right + ", and then with it")
                            .isEqualTo(expected);
                }
            }
        }
        assertThat(tooMany).isEmpty();
    }

    /** The rows of the tables, but of the audit what they say: an interrupted command leaves two instead of one. */
    private Map<String, Integer> result() throws SQLException {
        Map<String, Integer> result = tables().counts();
        result.put(
                "audit",
                Integer.valueOf(tables().texts("SELECT COALESCE(SUM(changes), 0) FROM outbox_audit")
                        .get(0)));
        return result;
    }

    /** MySQL and MariaDB lock rows without it. */
    private boolean isNeededHere(Right right, CommandRights row) {
        return !dialect().isMySqlFamily()
                || !right.privilege().equals("UPDATE")
                || !(LOCKED_ONLY.contains(right.table())
                        || row.command().startsWith("cleanup") && right.table().equals("operation")
                        || row.command().equals("retry") && right.table().equals("message"));
    }

    /** The account may read all tables, and change what these rights say. */
    private void grant(List<Right> rights) throws SQLException {
        List<String> statements = new ArrayList<>(List.of(revokeAll()));
        Tables.names().forEach(table -> statements.add("GRANT SELECT ON " + table + " TO " + single()));
        if (dialect() == Dialect.MYSQL) {
            statements.add("GRANT LOCK TABLES ON outbox.* TO " + single());
        }
        for (Right right : rights) {
            statements.add("GRANT " + right.privilege() + " ON outbox_" + right.table() + " TO " + single());
        }
        administer(statements.toArray(String[]::new));
    }

    final String revokeAll() {
        return dialect().isMySqlFamily()
                ? "REVOKE ALL PRIVILEGES, GRANT OPTION FROM " + single()
                : "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM " + single();
    }

    /** Adds rows for which the command needs this right. */
    private List<String> prepare(String command, Right needed) throws SQLException {
        return command.equals("retry") && needed.equals(CHANGE_LANE)
                ? retry(behindOneThatWasDeletedBySql())
                : prepare(command);
    }

    private static List<String> retry(UUID waiting) {
        return List.of("retry", waiting.toString(), "--handler", "mail");
    }

    /** Adds the rows for which the command needs its rights, and returns its arguments. */
    private List<String> prepare(String command) throws SQLException {
        return switch (command) {
            case "retry" -> {
                UUID waiting = behindOneThatWasDeletedBySql();
                tables().forgetLane("1");
                yield retry(waiting);
            }
            case "replay" -> {
                deadLettersInEverySituation();
                yield List.of("replay", "--all", "--yes", "--allow-reordering");
            }
            case "discard" -> {
                deadLettersInEverySituation();
                yield List.of("discard", "--all", "--yes");
            }
            case "drop-deliveries" -> {
                deliveriesInEverySituation(true);
                yield List.of("drop-deliveries", "--handler", "old", "--yes");
            }
            case "drop-deliveries --retire" -> {
                deliveriesInEverySituation(false);
                yield List.of("drop-deliveries", "--handler", "old", "--retire", "--yes");
            }
            case "replay --background", "discard --background" -> {
                tables().dead("order.placed", "1", "mail", "down");
                yield command.startsWith("replay")
                        ? List.of("replay", "--all", "--yes", "--allow-reordering", "--background")
                        : List.of("discard", "--all", "--yes", "--background");
            }
            case "retry --background" -> {
                tables().waitingLong("order.placed", "1", "mail");
                yield List.of("retry", "--all", "--yes", "--background");
            }
            case "cancel" -> {
                tables().dead("order.placed", "1", "mail", "down");
                succeeds("operator", "discard", "--all", "--yes", "--background");
                yield List.of("cancel", operationId());
            }
            case "pause" -> {
                yield List.of("pause", "--handler", "mail");
            }
            case "resume" -> {
                succeeds("operator", "pause", "--handler", "mail");
                yield List.of("resume", "--handler", "mail");
            }
            default -> {
                assertThat(command).startsWith("cleanup");
                tables().aged();
                succeeds("operator", "discard", "--all", "--yes", "--background");
                succeeds("operator", "cancel", operationId());
                tables().run("UPDATE outbox_operation SET started_at = 1, ended_at = 1");
                tables().run("UPDATE outbox_audit SET changed_at = 1");
                List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
                arguments.addAll(List.of("--older-than", "90d", "--yes"));
                yield arguments;
            }
        };
    }

    /** The last delivery of a message, one of several, one before another, and some whose rows were deleted by SQL. */
    private void deadLettersInEverySituation() throws SQLException {
        tables().dead("order.placed", "1", "mail", "down");
        tables().blocked("order.placed", "2", "mail", "down");
        UUID several = tables().blocked("order.placed", "3", "mail", "down");
        tables().alsoWaiting(several, "3", "ship");
        tables().blocked("order.placed", "4", "mail", "down");
        tables().waiting("order.placed", "4", "mail");
        tables().blocked("order.placed", "5", "mail", "down");
        tables().waiting("order.placed", "5", "mail");
        tables().forgetLane("5");
        UUID gone = tables().blocked("order.placed", "6", "mail", "down");
        tables().run("DELETE FROM outbox_message WHERE id = ?", gone);
    }

    private UUID behindOneThatWasDeletedBySql() throws SQLException {
        UUID gone = tables().waiting("order.placed", "1", "mail");
        tables().run("DELETE FROM outbox_message WHERE id = ?", gone);
        return tables().waiting("order.placed", "1", "mail");
    }

    private void deliveriesInEverySituation(boolean retired) throws SQLException {
        tables().handler("order.placed", "old", retired);
        tables().waiting("order.placed", "1", "old");
        UUID several = tables().waiting("order.placed", "2", "old");
        tables().alsoWaiting(several, "2", "ship");
        tables().waiting("order.placed", "3", "old");
        tables().waitingBehind("old", "order.placed", "3", "other");
        tables().waiting("order.placed", "4", "old");
        tables().waitingBehind("old", "order.placed", "4", "other");
        tables().forgetLane("4");
    }

    final String operationId() {
        succeeds("operator", "operations", "--json");
        return terminal().output().replaceAll("(?s).*\"id\":\"([^\"]+)\".*", "$1");
    }
}
